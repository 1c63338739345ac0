// expect: error kind=use-after-free line=28
// A thread does not compare its pointer with the new one, and accesses what another thread has freed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) current;

static void *replaces(void *unused)
{
	free(atomic_load(&current));
	atomic_int *new = malloc(sizeof *new);
	*new = 2;
	current = new;
	return unused;
}

int main(void)
{
	atomic_int *mine = malloc(sizeof *mine);
	*mine = 1;
	current = mine;
	pthread_t id;
	pthread_create(&id, NULL, replaces, NULL);
	pthread_join(id, NULL);
	if (current)
		assert(*mine == 2);
	free(current);
}
