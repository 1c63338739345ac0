// expect: verified
// broken: error kind=assertion line=32
// most-states: 40
//
// Each thread adds to an object of its own. One call of calloc makes them all, and each thread
// could reach all by the table, but reads its own entry only. In the broken version, the last one
// may read the first entry as well, which is seen late: only if another thread is late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 4

static atomic_int *table[THREADS];
static atomic_int late;

static atomic_int *of(long number)
{
	return table[number];
}

static void *run(void *number)
{
	for (int i = 0; i < 3; i++)
		atomic_fetch_add(of((long) number), 1);
#ifdef BROKEN
	if ((long) number == 1)
		atomic_store(&late, 1);
	if ((long) number == THREADS - 1 && !atomic_load(&late)) {
		/* The first thread need not have ended. */
		assert(atomic_load(of(0)) == 3);
	}
#endif
	return 0;
}

int main(void)
{
	pthread_t id[THREADS];
	for (int i = 0; i < THREADS; i++)
		table[i] = calloc(1, sizeof *table[i]);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&id[i], 0, run, (void *) i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], 0);
	for (int i = 0; i < THREADS; i++)
		free(table[i]);
}
