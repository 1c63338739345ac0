// expect: error kind=signed-overflow line=17
// flags: --signed-overflow
// Nothing reads the counter, but where signed overflow is an error its value decides.
#include <pthread.h>
#include <stdatomic.h>
#include <limits.h>

static atomic_int ready;

static void *work(void *unused)
{
	(void)unused;
	int rounds = INT_MAX - 2;
	for (;;) {
		if (atomic_load(&ready) == 4)
			return 0;
		rounds++;
	}
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&ready, 1);
	pthread_join(thread, 0);
}
