// expect: verified
// broken: error kind=data-race
// The store orders what came before it: the assembly clobbers memory. With -DBROKEN: The compiler
// may move other accesses past assembly that does not clobber memory.
#include <assert.h>
#include <pthread.h>

static int data, ready;

static void *publish(void *unused)
{
	data = 42;
#ifdef BROKEN
	__asm__ volatile("movl $1, %0" : "=m"(ready) : );
#else
	__asm__ volatile("movl $1, %0" : "=m"(ready) : : "memory");
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	int seen;
	pthread_create(&thread, 0, publish, 0);
#ifdef BROKEN
	__asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(ready));
#else
	__asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(ready) : "memory");
#endif
	if (seen)
		assert(data == 42);
	pthread_join(thread, 0);
}
