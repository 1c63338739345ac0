// expect: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int *> instance{nullptr};
std::mutex m;

static int *get()
{
	int *p = instance.load(std::memory_order_acquire);
	if (!p) {
		std::lock_guard guard(m);
		p = instance.load(std::memory_order_relaxed);
		if (!p) {
			p = new int(7);
			instance.store(p, std::memory_order_release);
		}
	}
	return p;
}

int main()
{
	std::thread t([] { assert(*get() == 7); });
	assert(*get() == 7);
	t.join();
	delete instance.load();
	return 0;
}
