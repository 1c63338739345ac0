// expect: verified
// pthread_mutex_trylock does not fail spuriously.
#include <assert.h>
#include <pthread.h>

int main(void) {
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	assert(!pthread_mutex_trylock(&mutex));
	pthread_mutex_unlock(&mutex);
}
