// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "structure.h"

static _Atomic(int *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
	int *known = LOAD(instance);
	if (known)
		return known;
	pthread_mutex_lock(&mutex);
	known = LOAD(instance);
	if (!known) {
		known = malloc(sizeof *known);
		*known = 7;
		STORE(instance, known);
	}
	pthread_mutex_unlock(&mutex);
	return known;
}

static void *user(void *argument)
{
	assert(*get() == 7);
	return argument;
}

int main(void)
{
	in_parallel(user, user);
	free(instance);
}
