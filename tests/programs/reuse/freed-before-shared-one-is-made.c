// expect: error kind=assertion line=29
// flags: --hangs off --races off
// An address is used again if the other thread frees its object first; when main compares the two, it has long shared the new one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) published;
static atomic_int steps;

static void *release(void *object)
{
	free(object);
	return 0;
}

int main(void)
{
	char *old = malloc(1), *kept = old;
	pthread_t thread;
	pthread_create(&thread, 0, release, old);
	old = 0;
	char *new = malloc(1);
	if (new) {
		published = new;
		steps++;
		steps++;
		assert(kept != new);
	}
	pthread_join(thread, 0);
	free(published);
	return 0;
}
