// expect: error kind=hang
// flags: --malloc-fail
// The loop ends only where there is no memory left.
#include <pthread.h>
#include <stdlib.h>
#ifndef GOES_ON
#define GOES_ON(block) (block)
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
	void *block;
	pthread_mutex_lock(&mutex);
	while (block = malloc(4), GOES_ON(block))
		free(block);
	pthread_mutex_unlock(&mutex);
	free(block);
}
