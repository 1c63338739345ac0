// expect: error kind=invalid-call line=5
// clang: -std=gnu89
main()
{
	return twice(0.0);
}

twice(n)
int n;
{
	return 2 * n;
}
