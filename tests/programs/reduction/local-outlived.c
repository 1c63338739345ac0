// expect: error kind=use-after-return
// broken: error kind=use-after-return
// Once the reader has ended, nothing reaches what the lender has lent, and its end is no access any
// more. The reader could have read it after that. The broken one lends the copy of an argument.
// A search in another order may find these errors although the end of a frame is no access.
#include <pthread.h>
#include <stdatomic.h>

struct block {
	int words[8];
};

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

static __attribute__((noinline)) void lend_copy(struct block block)
{
	atomic_store(&slot, block.words);
}

static void *lender(void *given)
{
#ifdef BROKEN
	lend_copy((struct block) {{1}});
#else
	lend();
#endif
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
