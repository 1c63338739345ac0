// expect: verified
// flags: --memory-model tso
// Dekker's idea needs a full barrier between the store and the load under x86-TSO; each of these is
// one.
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static int inside;

static void spin_hint(void)
{
	__asm__ volatile("" ::: "memory");
	__asm__ volatile("pause");
	__asm__ volatile("rep; nop" ::: "memory");
	__asm__ volatile("lfence" ::: "memory");
	__asm__ volatile("sfence" ::: "memory");
}

static void *first(void *unused)
{
	__atomic_store_n(&wants[0], 1, __ATOMIC_RELAXED);
	__asm__ volatile("mfence" ::: "memory");
	if (!__atomic_load_n(&wants[1], __ATOMIC_RELAXED))
		inside++;
	spin_hint();
	return unused;
}

static void *second(void *unused)
{
	__atomic_store_n(&wants[1], 1, __ATOMIC_RELAXED);
	__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
	if (!__atomic_load_n(&wants[0], __ATOMIC_RELAXED))
		inside++;
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(inside <= 1);
	return 0;
}
