// expect: verified
// broken: error kind=hang
// most-states: 130
// A semaphore that spins a hundred times before it blocks. Its counter multiplies no states under C11
// either, except where its thread is alone. With -DBROKEN: nobody is woken up that has blocked.
#include <atomic>
#include <semaphore.h>
#include <thread>

static std::atomic<int> count;
static sem_t blocked;

static void wait()
{
	for (int i = 0; i < 100; i++)
		if (count.load(std::memory_order_acquire) > 0) {
			count.fetch_sub(1, std::memory_order_acq_rel);
			return;
		}
	if (count.fetch_sub(1, std::memory_order_acq_rel) <= 0)
		sem_wait(&blocked);
}

static void post()
{
	if (count.fetch_add(1, std::memory_order_acq_rel) < 0) {
#ifndef BROKEN
		sem_post(&blocked);
#endif
	}
}

int main()
{
	sem_init(&blocked, 0, 0);
	std::thread other(post);
	wait();
	other.join();
}
