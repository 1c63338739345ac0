// expect: verified
// por-off: skip
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
	std::atomic<int> n{0};
	{
		std::jthread a([&n] { n++; });
		std::jthread b([&n] { n++; });
	}
	assert(n == 2);
	return 0;
}
