// expect: verified
// flags: --races=off
// A lock keeps the reader from seeing half of the copy.
#include <assert.h>
#include <pthread.h>

struct pair {
	long first, second;
};

static struct pair pair;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *write_both(void *none)
{
	pthread_mutex_lock(&mutex);
	pair = (struct pair){1, 1};
	pthread_mutex_unlock(&mutex);
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
	pthread_mutex_lock(&mutex);
	struct pair read = pair;
	pthread_mutex_unlock(&mutex);
	assert(read.first == read.second);
	pthread_join(thread, NULL);
}
