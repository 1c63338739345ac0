// expect: error kind=uncaught-exception line=8
// An empty std::function throws bad_function_call.
#include <functional>

int main()
{
	std::function<int()> f;
	return f();
}
