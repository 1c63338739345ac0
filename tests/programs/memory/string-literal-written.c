// expect: error kind=constant-write line=5
int main(void)
{
	char *s = (char *)"literal";
	s[0] = 'L';
	return 0;
}
