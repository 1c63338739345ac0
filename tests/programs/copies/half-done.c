// expect: error kind=assertion line=26
// flags: --races=off
// A structure is copied word by word: the reader sees half of it.
#include <assert.h>
#include <pthread.h>

struct pair {
	long first, second;
};

static struct pair pair;

static void *write_both(void *none)
{
	pair = (struct pair){1, 1};
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	struct pair read = pair;
	/* Read back to front as well as front to back. */
	if (read.first == 1)
		assert(read.second == 1);
	pthread_join(thread, NULL);
}
