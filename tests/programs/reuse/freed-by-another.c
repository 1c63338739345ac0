// expect: verified
// broken: error kind=use-after-free line=35
// A thread compares its pointer with the new one: it cannot know whether another thread has freed
// and allocated in between, and accesses what is there. With -DBROKEN: A thread does not compare
// its pointer with the new one, and accesses what another thread has freed.
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
#ifdef BROKEN
	if (current)
#else
	if (current == mine)
#endif
		assert(*mine == 2);
	free(current);
}
