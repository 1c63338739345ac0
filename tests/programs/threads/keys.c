// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *p)
{
	destroyed++;
	free(p);
}

static void *work(void *arg)
{
	assert(pthread_getspecific(key) == NULL);
	pthread_setspecific(key, malloc(1));
	assert(pthread_getspecific(key) != NULL);
	return 0;
}

int main(void)
{
	pthread_t t;
	assert(pthread_key_create(&key, destroy) == 0);
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	assert(destroyed == 1);
	assert(pthread_getspecific(key) == NULL);
	pthread_key_delete(key);
	return 0;
}
