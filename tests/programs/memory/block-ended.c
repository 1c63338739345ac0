// expect: error kind=use-after-return line=10
// The lifetime of a variable ends with its block.
int main(void)
{
	int *p;
	{
		int inner = 3;
		p = &inner;
	}
	return *p - 3;
}
