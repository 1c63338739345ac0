// expect: verified
// broken: error kind=invalid-call line=13
// With -DBROKEN: A function is called through a pointer of another type.
static int add(int a, int b)
{
	return a + b;
}

int main(void)
{
#ifdef BROKEN
	int (*f)(double) = (int (*)(double))add;
	return f(1.0);
#else
	void (*any)(void) = (void (*)(void))add;
	int (*f)(int, int) = (int (*)(int, int))any;
	return f(1, 2) != 3;
#endif
}
