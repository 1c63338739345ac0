// expect: verified
// broken: error kind=hang line=15|35 message="taken"
// A spin lock that is used forever, also by an interrupted holder. With -DBROKEN: A holder of a
// spin lock waits inside for what only another holder could do.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int shared;

static void lock(void)
{
	impasse_wait_begin(&taken);
	while (atomic_flag_test_and_set(&taken)) {
	}
	impasse_wait_end(&taken);
	impasse_section_begin(&taken);
}

static void unlock(void)
{
	impasse_section_end(&taken);
	atomic_flag_clear(&taken);
}

static void *work(void *arg)
{
	for (;;) {
		lock();
#ifdef BROKEN
		int before = shared;
		shared = !before;
		if (arg)
			while (*(volatile int *)&shared != before) {
			}
#else
		shared = !shared;
#endif
		unlock();
	}
}

int main(void)
{
	pthread_t t;
#ifdef BROKEN
	pthread_create(&t, 0, work, &taken);
#else
	pthread_create(&t, 0, work, 0);
#endif
	work(0);
}
