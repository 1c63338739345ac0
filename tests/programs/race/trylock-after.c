// expect: verified
// A thread that locks the mutex, by trying or not, synchronises with all earlier owners.
#include <pthread.h>
static int data, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
	data = 1;
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void) {
	pthread_t worker;
	pthread_create(&worker, 0, work, 0);
	if (!pthread_mutex_trylock(&mutex)) {
		if (done)
			data = 2;
		pthread_mutex_unlock(&mutex);
	}
	pthread_join(worker, 0);
}
