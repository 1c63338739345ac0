// expect: error kind=undefined-value line=7
// clang: -w
void main(void)
{
	int n = 1;
	(void)n;
}
