// expect: error kind=assertion line=19
// broken: verified
// Without the prefix it is a load and a store, and one of two increments may be lost. With
// -DBROKEN it has the prefix.
#include <assert.h>
#include <pthread.h>
#ifdef BROKEN
#define LOCK "lock; "
#else
#define LOCK
#endif
static int n;
static void *count(void *p) { __asm__ volatile(LOCK "addl $1, %0" : "+m"(n) : : "memory", "cc"); return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, count, 0), count(0);
	pthread_join(t, 0);
	assert(n == 2);
}
