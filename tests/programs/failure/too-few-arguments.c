// expect: error kind=invalid-call line=11
// clang: -Wno-deprecated-non-prototype
static int add(int a, int b, int c)
{
	return a + b + c;
}

int main(void)
{
	int (*f)(int, int) = (int (*)(int, int))(void *)add;
	return f(1, 2) == 3;
}
