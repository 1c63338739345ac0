// expect: verified
// broken: error kind=undefined-value line=11
// Writing one bit field leaves its neighbours undefined, and itself defined.
struct flags { unsigned a : 3, b : 5; };

int main(void)
{
	struct flags f;
	f.b = 9;
#ifdef BROKEN
	if (f.a == 1)
		return 0;
	return 1;
#else
	return f.b == 9 ? 0 : 1;
#endif
}
