// expect: verified
#include <atomic>
#include <thread>

std::atomic_flag locked = ATOMIC_FLAG_INIT;
int n;

static void work()
{
	while (locked.test_and_set(std::memory_order_acquire))
		;
	n++;
	locked.clear(std::memory_order_release);
}

int main()
{
	std::thread t(work);
	work();
	t.join();
	return n != 2;
}
