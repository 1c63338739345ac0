// expect: error kind=terminate|abort|uncaught-exception|invalid-call
// clang: -fno-exceptions
#include <functional>

int main()
{
	std::function<int()> f;
	return f();
}
