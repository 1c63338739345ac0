// expect: verified
#include <cassert>
#include <future>

int main()
{
	int ran = 0;
	auto f = std::async(std::launch::deferred, [&] { return ++ran; });
	assert(ran == 0);
	assert(f.get() == 1 && ran == 1);
	return 0;
}
