// expect: verified
// A lock made of std::atomic_flag.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void increment()
{
	while (taken.test_and_set()) // enough: acquire
		;
	counter++;
	taken.clear(); // enough: release
}

int main()
{
	std::thread other(increment);
	increment();
	other.join();
	assert(counter == 2);
}
