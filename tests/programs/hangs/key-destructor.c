// expect: verified
// broken: error kind=hang line=13 message="thread 1 can never lock m"
// The destructor of thread-specific data takes a lock, which main gives up before it joins. With
// -DBROKEN: The destructor of thread-specific data takes a lock, which main holds while it joins.
#include <pthread.h>

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int records = 1;

static void forget(void *record)
{
	pthread_mutex_lock(&m);
	records--;
	pthread_mutex_unlock(&m);
}

static void *work(void *record)
{
	pthread_setspecific(key, record);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&key, forget);
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, work, &records);
#ifdef BROKEN
	pthread_join(t, 0);
#endif
	pthread_mutex_unlock(&m);
#ifndef BROKEN
	pthread_join(t, 0);
#endif
	return records;
}
