// expect: verified
// broken: error kind=assertion line=37
// flags: --races=off
// Readers of a sequence lock try again if a writer came in between. With -DBROKEN: A reader that
// does not look again sees half of a write.
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
#ifdef BROKEN
	if (before % 2 == 0)
#else
	if (before % 2 == 0 && sequence == before)
#endif
		assert(read.first == read.second);
	pthread_join(thread, NULL);
}
