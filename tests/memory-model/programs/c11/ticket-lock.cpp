// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// Taking a ticket may be relaxed, but the ticket being served must be loaded with acquire. The broken
// one loads it relaxed.
#include <atomic>
#include <thread>

#ifdef BROKEN
constexpr auto reads = std::memory_order_relaxed;
#else
constexpr auto reads = std::memory_order_acquire;
#endif

static std::atomic<int> next, serving;
static int counter;

static void increment()
{
	const int ticket = next.fetch_add(1, std::memory_order_relaxed);
	while (serving.load(reads) != ticket) {
	}
	++counter;
	serving.store(ticket + 1, std::memory_order_release);
}

int main()
{
	std::thread first(increment), second(increment);
	first.join();
	second.join();
}
