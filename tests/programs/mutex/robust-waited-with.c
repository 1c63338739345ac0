// expect: verified
// Waiting with a robust mutex that is not consistent unlocks it like that: no thread can lock it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *end_with_it(void *argument)
{
	pthread_mutex_lock(&m);
	return argument;
}

int main(void)
{
	pthread_mutexattr_t robust;
	pthread_t id;
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &robust);
	pthread_create(&id, 0, end_with_it, 0);
	pthread_join(id, 0);
	assert(pthread_mutex_lock(&m) == EOWNERDEAD);
	struct timespec soon = {0};
	assert(pthread_cond_timedwait(&c, &m, &soon) == ENOTRECOVERABLE);
	assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
}
