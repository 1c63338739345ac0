// expect: error kind=assertion line=18
// A reader takes an unchanged address for an unchanged object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) head;
static atomic_int changes;

static void *reader(void *unused)
{
	int *before = head;
	int seen = changes;
	int later = changes;
	// Equal addresses are taken to say that nothing has changed.
	if (before && head == before)
		assert(seen == later);
	return unused;
}

static void *writer(void *unused)
{
	free(atomic_exchange(&head, NULL));
	changes++;
	head = malloc(sizeof(int));
	return unused;
}

int main(void)
{
	head = malloc(sizeof(int));
	pthread_t a, b;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(head);
}
