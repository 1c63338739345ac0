// expect: verified
// Read, copy, update: a reader says that it reads, and the writer waits until it does not before it frees what it replaced.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct data {
	int value;
};

static _Atomic(struct data *) current;
static atomic_int reads;

static void *reader(void *argument)
{
	atomic_store(&reads, 1); // enough: seq_cst
	struct data *data = atomic_load(&current); // enough: seq_cst
	assert(data->value == 1 || data->value == 2);
	atomic_store(&reads, 0); // enough: release
	return argument;
}

int main(void)
{
	struct data *old = malloc(sizeof *old), *new = malloc(sizeof *new);
	old->value = 1;
	new->value = 2;
	atomic_init(&current, old);
	pthread_t thread;
	pthread_create(&thread, 0, reader, 0);
	atomic_store(&current, new); // enough: seq_cst
	while (atomic_load(&reads)) // enough: seq_cst
		;
	free(old);
	pthread_join(thread, 0);
	free(new);
}
