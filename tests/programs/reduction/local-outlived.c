// expect: error kind=use-after-return
// Once the reader has ended, nothing reaches what the lender has lent, and its end is no access any
// more. The reader could have read it after that.
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic slot;
static atomic_int result;

static void *reader(void *given)
{
	int *lent = atomic_exchange(&slot, 0);
	if (lent)
		atomic_store(&result, *lent);
	return given;
}

static __attribute__((noinline)) void lend(void)
{
	int local = 1;
	atomic_store(&slot, &local);
}

static void *lender(void *given)
{
	lend();
	return given;
}

int main(void)
{
	pthread_t id[2];
	pthread_create(&id[0], 0, reader, 0);
	pthread_create(&id[1], 0, lender, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
}
