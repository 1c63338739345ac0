// expect: verified
#include <cassert>
#include <future>

int main()
{
	auto f = std::async(std::launch::async, [](int x) { return x * 2; }, 21);
	assert(f.get() == 42);
	return 0;
}
