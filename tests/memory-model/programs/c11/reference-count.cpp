// expect: verified
// broken: error kind=data-race|use-after-free
// flags: --memory-model c11
// Whoever drops the last reference must see what the others did before. The broken one decrements
// relaxed.
#include <atomic>
#include <thread>

#ifdef BROKEN
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_acq_rel;
#endif

struct Shared {
	std::atomic<int> references{2};
	int uses[2] = {};
};

static void use(Shared *shared, int who)
{
	shared->uses[who] = 1;
	if (shared->references.fetch_sub(1, order) == 1)
		delete shared;
}

int main()
{
	auto *shared = new Shared;
	std::thread other(use, shared, 0);
	use(shared, 1);
	other.join();
}
