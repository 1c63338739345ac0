// expect: verified
// broken: error kind=data-race|assertion
// A bit is a lock: `bts` says whether it was free.
#include <assert.h>
#include <pthread.h>
static volatile int word = 6;
static int n;
static void lock(void)
{
	unsigned char taken;
	do
		__asm__ volatile("lock; btsl $3, %0; setc %1" : "+m"(word), "=q"(taken) : : "memory");
	while (taken);
}
static void unlock(void)
{
	__asm__ volatile("lock; btrl $3, %0" : "+m"(word) : : "memory");
}
static void *work(void *p)
{
	lock();
	n++;
	unlock();
#ifdef BROKEN
	n++;
#endif
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	assert(n == 2 && word == 6);
}
