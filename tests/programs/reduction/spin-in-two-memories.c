// expect: verified
// broken: error kind=assertion
// What a thread's iterations read is decided before it starts, and with it how it counts: in twos or in threes, never both.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef BROKEN
enum { FORBIDDEN = 12 };
#else
enum { FORBIDDEN = 13 };
#endif

static atomic_int x;
static sem_t semaphore;

static void *count(void *unused)
{
	for (int i = 0; i < 12;) {
		int by;
		if (atomic_load(&x) == 1)
			by = 2;
		else
			by = 3;
		i += by;
		assert(i != FORBIDDEN);
	}
	return unused;
}

static void *wait(void *unused)
{
	sem_wait(&semaphore);
	return unused;
}

static void *write(void *value)
{
	atomic_store(&x, (int)(long)value);
	return 0;
}

int main(void)
{
	pthread_t one, other;
	sem_init(&semaphore, 0, 0);
	pthread_create(&one, 0, write, (void *)1);
	pthread_create(&other, 0, write, (void *)2);
	pthread_join(one, 0);
	pthread_join(other, 0);
	pthread_create(&one, 0, count, 0);
	pthread_create(&other, 0, wait, 0);
	pthread_join(one, 0);
	sem_post(&semaphore);
	pthread_join(other, 0);
}
