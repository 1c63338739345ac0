// expect: verified
// A thread's id is stored before the thread starts.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;

static void *grandchild(void *none)
{
	assert(second);
	return none;
}

static void *child(void *none)
{
	pthread_t id;
	assert(pthread_equal(second, pthread_self()));
	pthread_create(&id, 0, grandchild, 0);
	pthread_join(id, 0);
	return none;
}

static void *idle(void *lock)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return 0;
}

int main(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	pthread_create(&first, 0, idle, &lock);
	pthread_create(&second, 0, child, 0);
	pthread_join(second, 0);
	pthread_mutex_unlock(&lock);
	pthread_join(first, 0);
}
