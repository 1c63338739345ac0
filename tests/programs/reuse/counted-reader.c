// expect: verified
// A reader compares a count of changes, not an address.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) head;
static atomic_int changes;

static void *reader(void *unused)
{
	int seen = changes;
	int *before = head;
	int *later = head;
	if (seen % 2 == 0 && changes == seen)
		assert(before == later || !before || !later);
	return unused;
}

static void *writer(void *unused)
{
	changes++;
	free(atomic_exchange(&head, NULL));
	head = malloc(sizeof(int));
	changes++;
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
