// expect: verified
// A lock of a textbook.
#include <assert.h>
#include <pthread.h>

static volatile int locked;
static int counter;

static void lock(void)
{
	int taken = 1;
	do {
		__asm__ volatile("xchgl %0, %1" : "+r"(taken), "+m"(locked)::"memory");
		__asm__ volatile("pause");
	} while (taken);
}

static void unlock(void)
{
	int free = 0;
	__asm__ volatile("xchgl %0, %1" : "+r"(free), "+m"(locked)::"memory");
}

static void *count(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, count, 0);
	pthread_create(&b, 0, count, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
	return 0;
}
