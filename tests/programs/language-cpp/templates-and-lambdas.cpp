// expect: verified
#include <cassert>

template <typename F, typename... A> auto twice(F f, A... a) { return f(a...) + f(a...); }

int main()
{
	int calls = 0;
	auto add = [&calls](auto x, auto y) { calls++; return x + y; };
	assert(twice(add, 1, 2) == 6 && twice(add, 1.5, 0.5) == 4.0 && calls == 4);
	return 0;
}
