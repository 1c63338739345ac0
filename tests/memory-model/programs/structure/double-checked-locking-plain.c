// expect: error kind=data-race
// flags: --memory-model tso
// sequential: error
#include "structure.h"

static int *instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
	if (instance)
		return instance;
	pthread_mutex_lock(&mutex);
	if (!instance) {
		int *made = malloc(sizeof *made);
		*made = 7;
		instance = made;
	}
	pthread_mutex_unlock(&mutex);
	return instance;
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
