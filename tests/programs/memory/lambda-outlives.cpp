// expect: error kind=use-after-return line=8
// A lambda that refers to a local variable of a function that has returned.
#include <functional>

static std::function<int()> counter()
{
	int n = 3;
	return [&n] { return n; };
}

int main()
{
	auto f = counter();
	return f() - 3;
}
