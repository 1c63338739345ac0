// expect: verified
// The two exchanges see different values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int slot;
static int seen[2];

static void *work(void *arg)
{
	long me = (long)arg;
	seen[me] = atomic_exchange(&slot, (int)me + 1);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, (void *)1);
	work(0);
	pthread_join(t, 0);
	assert((seen[0] == 0) != (seen[1] == 0));
	assert(seen[0] + seen[1] + slot == 3);
	return 0;
}
