// expect: error kind=assertion line=14
// flags: --leaks off
// The reader drops its reference to the node when it ends. What the writer does to the node after
// that is its own business, but before the reader's access it is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int other;

static void *reader(void *node)
{
	assert(atomic_load((atomic_int *)node) == 0);
	return 0;
}

static void *writer(void *node)
{
	atomic_store(&other, 1);
	atomic_store((atomic_int *)node, 1);
	atomic_store(&other, 2);
	return 0;
}

static void start(pthread_t *first, pthread_t *second)
{
	atomic_int *node = calloc(1, sizeof *node);
	pthread_create(first, 0, reader, node);
	pthread_create(second, 0, writer, node);
}

int main(void)
{
	pthread_t first, second;
	start(&first, &second);
	pthread_join(first, 0);
	pthread_join(second, 0);
}
