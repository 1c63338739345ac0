// expect: error kind=use-after-return
// As local-outlived.c, with the copy of an argument.
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

static __attribute__((noinline)) void lend(struct block block)
{
	atomic_store(&slot, block.words);
}

static void *lender(void *given)
{
	lend((struct block) {{1}});
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
