// expect: error kind=undefined-value line=6
int main(void)
{
	int x;
	int *p = &x;
	if (*p == 3)
		return 1;
	return 0;
}
