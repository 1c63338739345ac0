// Threads enter four messages each into a hash table. With more than 12 threads some of them
// collide (C. Flanagan, P. Godefroid, Dynamic Partial-Order Reduction for Model Checking Software,
// POPL 2005).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void *enter(void *given)
{
	int me = (int)(long)given;
	for (int message = 1; message <= MESSAGES; message++) {
		int word = message * 11 + me, hash = word * 7 % SIZE, empty = 0;
		while (!atomic_compare_exchange_strong(&table[hash], &empty, word)) {
			hash = (hash + 1) % SIZE;
			empty = 0;
		}
	}
	return 0;
}

int main(void)
{
	pthread_t id[N];
	for (long i = 0; i < N; i++)
		pthread_create(&id[i], 0, enter, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
