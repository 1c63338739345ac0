// expect: error kind=invalid-pointer line=5
int main(void)
{
	int *p = (int *)0x123456789abc;
	return *p;
}
