// expect: error kind=data-race line=15 message="thread 1 writes it at"
// A thread that fails to lock a mutex does not synchronise with the thread that holds it.
#include <pthread.h>
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
	data = 1;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void write_unless_free(void) {
	if (pthread_mutex_trylock(&mutex)) data = 2;
	else pthread_mutex_unlock(&mutex);
}

int main(void) {
	pthread_t worker;
	pthread_create(&worker, 0, work, 0);
	write_unless_free();
	pthread_join(worker, 0);
}
