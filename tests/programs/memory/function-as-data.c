// expect: error kind=invalid-pointer|out-of-bounds|constant-write line=6
// A function is no object to write to.
int main(void)
{
	int *p = (int *)(void *)main;
	*p = 0;
	return 0;
}
