// expect: error kind=memory-leak
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *arg)
{
	pthread_setspecific(key, malloc(1));
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&key, NULL);
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return 0;
}
