// expect: error kind=invalid-call line=11
// A function is called through a pointer of another type.
static int add(int a, int b)
{
	return a + b;
}

int main(void)
{
	int (*f)(double) = (int (*)(double))add;
	return f(1.0);
}
