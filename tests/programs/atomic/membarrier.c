// expect: verified
// flags: --memory-model sc
// broken: inconclusive reason="a barrier of all threads (membarrier), except under --memory-model sc"
// broken-flags: --memory-model tso
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { QUERY = 0, GLOBAL = 1, PRIVATE = 8, REGISTER_PRIVATE = 16 };
static atomic_int x, y;
static int r1, r2;
static void *work(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t t;
	int known = GLOBAL | PRIVATE | REGISTER_PRIVATE;
	assert((syscall(SYS_membarrier, QUERY, 0) & known) == known);
	assert(syscall(SYS_membarrier, PRIVATE, 0) == -1 && errno == EPERM);
	assert(syscall(SYS_membarrier, GLOBAL, 1) == -1 && errno == EINVAL);
	assert(syscall(SYS_membarrier, 1 << 20, 0) == -1 && errno == EINVAL);
	assert(syscall(SYS_membarrier, REGISTER_PRIVATE, 0) == 0);
	pthread_create(&t, 0, work, 0);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	assert(syscall(SYS_membarrier, PRIVATE, 0) == 0);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, 0);
	assert(r1 || r2);
}
