// expect: verified
// Writing one bit field leaves its neighbours undefined, and itself defined.
struct flags { unsigned a : 3, b : 5; };

int main(void)
{
	struct flags f;
	f.b = 9;
	return f.b == 9 ? 0 : 1;
}
