// expect: error kind=hang line=18|19 message="no thread changes anything any more"
// product: skip
// A spin lock of the program's own, whose holder ends without releasing it. The exchange stores
// what is there already.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;

static void *holder(void *unused)
{
	while (atomic_exchange(&locked, 1));
	return unused;
}

static void acquire(void)
{
	while (atomic_exchange(&locked, 1))
		;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, holder, 0);
	pthread_join(thread, 0);
	acquire();
	return 0;
}
