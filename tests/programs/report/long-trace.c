// expect: error kind=assertion line=27
// Long traces are shown without the steps on which the error does not depend: those on counters and records.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared, counts[4], record[32], last;

static void *work(void *argument)
{
	for (int n = 0; n < 32; n++) {
		counts[n % 4]++;
		record[n] = n;
		last = n;
	}
	pthread_mutex_lock(&mutex);
	shared++;
	pthread_mutex_unlock(&mutex);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_mutex_lock(&mutex);
	assert(shared == 0);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
