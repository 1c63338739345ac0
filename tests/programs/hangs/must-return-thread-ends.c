// expect: verified
// A function that must return is left by the end of its thread, by itself and by being cancelled.
#include <impasse/section.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *wait(void *arg)
{
	IMPASSE_MUST_RETURN;
	if (arg)
		pthread_exit(0);
	sem_wait(&never);
	return 0;
}

int main(void)
{
	sem_init(&never, 0, 0);
	for (int exits = 0;; exits = !exits) {
		pthread_t t;
		pthread_create(&t, 0, wait, exits ? &never : 0);
		if (!exits)
			pthread_cancel(t);
		pthread_join(t, 0);
	}
}
