// expect: error kind=hang line=13|32 message="taken"
// A holder of a spin lock waits inside for what only another holder could do.
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
		int before = shared;
		shared = !before;
		if (arg)
			while (*(volatile int *)&shared != before) {
			}
		unlock();
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, &taken);
	work(0);
}
