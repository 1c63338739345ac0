// expect: error kind=assertion line=28
// flags: --races off
// Ten threads take slots, and may take the same one. Only the last step shows that, behind too many states.
#include <assert.h>
#include <pthread.h>

#define THREADS 10

static int taken[THREADS], next;

static void *take(void *unused)
{
	taken[next] = 1;
	next++;
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(threads + i, 0, take, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	int sum = 0;
	for (int i = 0; i < THREADS; i++)
		sum += taken[i];
	assert(sum == THREADS);
	return 0;
}
