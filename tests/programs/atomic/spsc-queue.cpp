// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned N = 2;
int items[N];
std::atomic<unsigned> head, tail;

static void put(int x)
{
	unsigned t = tail.load(std::memory_order_relaxed);
	while (t - head.load(std::memory_order_acquire) == N)
		;
	items[t % N] = x;
	tail.store(t + 1, std::memory_order_release);
}

static int get()
{
	unsigned h = head.load(std::memory_order_relaxed);
	while (tail.load(std::memory_order_acquire) == h)
		;
	int x = items[h % N];
	head.store(h + 1, std::memory_order_release);
	return x;
}

int main()
{
	std::thread t([] {
		for (int i = 1; i <= 3; i++)
			put(i);
	});
	for (int i = 1; i <= 3; i++)
		assert(get() == i);
	t.join();
	return 0;
}
