// expect: verified
// flags: --optimise
// Inlined, the functions would not be atomic any more.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void __VERIFIER_atomic_both(void)
{
	x = x + 1;
	y = y + 1;
}

static void __VERIFIER_atomic_same(void)
{
	assert(x == y);
}

static void *work(void *unused)
{
	__VERIFIER_atomic_both();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	__VERIFIER_atomic_same();
	pthread_join(thread, 0);
}
