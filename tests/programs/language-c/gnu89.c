// expect: verified
// clang: -std=gnu89
// What is not declared returns an int, and a function of the library has its own type.
main()
{
	int *p = malloc(sizeof *p);
	if (!p)
		return 0;
	*p = twice(abs(-3));
	if (*p != 6)
		abort();
	free(p);
	return 0;
}

twice(n)
{
	return 2 * n;
}
