// expect: error kind=data-race line=13|18
#include <atomic>
#include <thread>

struct Data { int x = 0; };

int main()
{
	std::atomic<Data *> shared{nullptr};
	std::thread t([&] {
		Data *d = new Data;
		shared.store(d);
		d->x = 1;
	});
	Data *d;
	while (!(d = shared.load()))
		;
	int x = d->x;
	t.join();
	delete d;
	return x > 1;
}
