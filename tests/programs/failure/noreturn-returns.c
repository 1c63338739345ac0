// expect: error kind=unreachable
// clang: -Wno-invalid-noreturn
// A function that promised not to return does.
static _Noreturn void fail(int code)
{
	if (code == 3)
		for (;;) { if (code) break; }
}

int main(void)
{
	fail(1);
}
