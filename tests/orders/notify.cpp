// expect: verified
// Waiting for an atomic object instead of spinning.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready;
static int data;

int main()
{
	std::thread writer([] {
		data = 42;
		ready.store(1); // enough: release
		ready.notify_one();
	});
	ready.wait(0); // enough: acquire
	assert(data == 42);
	writer.join();
}
