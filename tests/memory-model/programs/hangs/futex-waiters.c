// expect: verified
// broken: error kind=hang
// flags: --memory-model c11
// Who waits is counted before the wait, and who wakes looks at the count: a fence, and the barrier that the kernel executes
// before it reads the futex, order them. The broken one has no fence.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int value, waiters;

static void *wait(void *unused)
{
	while (!atomic_load_explicit(&value, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
		syscall(SYS_futex, &value, FUTEX_WAIT, 0, 0, 0, 0);
		atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t waiter;
	pthread_create(&waiter, 0, wait, 0);
	atomic_store_explicit(&value, 1, memory_order_relaxed);
#ifndef BROKEN
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (atomic_load_explicit(&waiters, memory_order_relaxed))
		syscall(SYS_futex, &value, FUTEX_WAKE, 1, 0, 0, 0);
	pthread_join(waiter, 0);
}
