// expect: error kind=assertion line=31
// flags: --races=off
// A copy of one word reads before it writes: what another thread writes to both places in between
// is lost.
#include <assert.h>
#include <pthread.h>

static struct number {
	int value;
} from, to;

static void *copy(void *none)
{
	to = from;
	return none;
}

static void *set(void *none)
{
	from.value = to.value = 1;
	return none;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, copy, NULL);
	pthread_create(&threads[1], NULL, set, NULL);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], NULL);
	assert(to.value == 1);
}
