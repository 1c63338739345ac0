// expect: verified
// most-states: 40
// broken: error kind=data-race
// broken-most-states: 4000
//
// Threads of std::thread are symmetric wherever they start, under C11 too.
#include <atomic>
#include <thread>

#ifdef BROKEN
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_release;
#endif
static std::atomic<int> next, serving;
static int shared;

static void work()
{
	int me = next.fetch_add(1, std::memory_order_relaxed);
	while (serving.load(std::memory_order_acquire) != me) {
	}
	shared++;
	serving.store(me + 1, order);
}

int main()
{
	std::thread first(work);
	std::thread second(work), third(work);
	first.join();
	second.join();
	third.join();
	return shared - 3;
}
