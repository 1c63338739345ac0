// expect: verified
// broken: error kind=hang
// flags: --memory-model c11
// A semaphore as the C libraries make it, with a count of waiters. Some accesses of the value are relaxed, so the order of the
// sequentially consistent ones is followed; the kernel's barrier is in it. In the broken one, who posts only releases.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BROKEN
#define POST memory_order_release
#define LOOK memory_order_acquire
#else
#define POST memory_order_seq_cst
#define LOOK memory_order_seq_cst
#endif

static atomic_int value, waiters;
static int data;

static void post(void)
{
	atomic_fetch_add_explicit(&value, 1, POST);
	if (atomic_load_explicit(&waiters, LOOK))
		syscall(SYS_futex, &value, FUTEX_WAKE, 1, 0, 0, 0);
}

static void wait(void)
{
	for (;;) {
		int n = atomic_load_explicit(&value, memory_order_relaxed);
		while (n > 0)
			if (atomic_compare_exchange_weak_explicit(&value, &n, n - 1, memory_order_acquire, memory_order_relaxed))
				return;
		atomic_fetch_add_explicit(&waiters, 1, memory_order_seq_cst);
		syscall(SYS_futex, &value, FUTEX_WAIT, 0, 0, 0, 0);
		atomic_fetch_sub_explicit(&waiters, 1, memory_order_seq_cst);
	}
}

static void *take(void *unused)
{
	wait();
	assert(data == 7);
	return unused;
}

int main(void)
{
	pthread_t taker;
	pthread_create(&taker, 0, take, 0);
	data = 7;
	post();
	pthread_join(taker, 0);
}
