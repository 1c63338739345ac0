// expect: error kind=null-dereference line=5
int main(void)
{
	int *p = 0;
	return *p;
}
