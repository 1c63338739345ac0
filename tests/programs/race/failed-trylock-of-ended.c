// expect: error kind=data-race line=24 message="thread 1 writes it at"
// The thread may have ended, but has not been joined: its mutex tells so, and orders nothing.
#include <pthread.h>
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
	data = 1;
	pthread_mutex_lock(&mutex);
	return unused;
}

static int fails_to_lock(void) {
	if (pthread_mutex_trylock(&mutex))
		return 1;
	pthread_mutex_unlock(&mutex);
	return 0;
}

int main(void) {
	pthread_t worker;
	pthread_create(&worker, 0, work, 0);
	if (fails_to_lock())
		data = 2;
	pthread_join(worker, 0);
}
