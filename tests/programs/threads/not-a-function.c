// expect: error kind=invalid-call line=9
#include <pthread.h>

static int data;

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, (void *(*)(void *))(void *)&data, 0);
	return 0;
}
