// expect: verified
// flags: --races=off
// Readers of a sequence lock try again if a writer came in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
	long first, second;
};

static atomic_int sequence;
static struct pair pair;

static void *write_both(void *none)
{
	struct pair ones = {1, 1};
	sequence++;
	pair = ones;
	sequence++;
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	int before = sequence;
	struct pair read = pair;
	if (before % 2 == 0 && sequence == before)
		assert(read.first == read.second);
	pthread_join(thread, NULL);
}
