// expect: error kind=hang message="can never unlock m"
// A recursive mutex is locked and unlocked again and again, inside of a section that does not end.
#include <pthread.h>

static pthread_mutex_t m;

int main(void)
{
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &recursive);
	pthread_mutex_lock(&m);
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
}
