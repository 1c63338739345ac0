// expect: verified
// most-states: 1400
// persistent-sets: needed
//
// Steps that are about all of very many threads keep what else they access apart.
#include <pthread.h>
#include <stdatomic.h>

#define N 270
static atomic_int element[N];

static void *store(void *given)
{
	int me = (int)(long)given;
	atomic_store(&element[me], 1);
	atomic_store(&element[me], 2);
	return 0;
}

int main(void)
{
	pthread_t id[N];
	for (long i = 0; i < N; i++)
		pthread_create(&id[i], 0, store, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
