// expect: verified
// flags: --races=off
// A structure of one word is read and written at once.
#include <assert.h>
#include <pthread.h>

struct pair {
	int first, second;
};

static struct pair pair;

static void *write_both(void *none)
{
	struct pair both = {1, 1};
	pair = both;
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	struct pair read = pair;
	assert(read.first == read.second);
	pthread_join(thread, NULL);
}
