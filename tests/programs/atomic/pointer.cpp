// expect: verified
// An object is published through an atomic pointer.
#include <atomic>
#include <cassert>
#include <thread>

struct Data { int x = 0, y = 0; };

int main()
{
	std::atomic<Data *> shared{nullptr};
	std::thread t([&] {
		Data *d = new Data;
		d->x = 1;
		d->y = 2;
		shared.store(d, std::memory_order_release);
	});
	Data *d;
	while (!(d = shared.load(std::memory_order_acquire)))
		;
	assert(d->x == 1 && d->y == 2);
	t.join();
	delete d;
	return 0;
}
