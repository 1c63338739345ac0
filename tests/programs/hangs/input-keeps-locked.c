// expect: error kind=hang line=11
// An input may decide each time that the mutex stays locked.
#include <impasse.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&mutex);
	while (impasse_choose(2))
		;
	pthread_mutex_unlock(&mutex);
}
