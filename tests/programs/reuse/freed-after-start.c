// expect: verified
// broken: error kind=assertion line=27
// What a thread frees once another one has told it to cannot be what that one has allocated before.
// With -DBROKEN: What one thread frees once another one has told it to may be what that one
// allocates next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int told;
static _Atomic(int *) old;

static void *allocates(void *unused)
{
	int *before = old;
#ifdef BROKEN
	told = 1;
#endif
	int *mine = malloc(sizeof *mine);
#ifndef BROKEN
	told = 1;
#endif
	int same = mine == before;
	if (mine)
		*mine = same;
	assert(!same);
	free(mine);
	return unused;
}

static void *frees(void *unused)
{
	if (told)
		free(atomic_exchange(&old, NULL));
	return unused;
}

int main(void)
{
	old = malloc(sizeof(int));
	pthread_t a, b;
	pthread_create(&a, NULL, allocates, NULL);
	pthread_create(&b, NULL, frees, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(old);
}
