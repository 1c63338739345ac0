// expect: error kind=thread-misuse line=11
#include <pthread.h>

static void *work(void *arg) { return arg; }

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_detach(t);
	pthread_join(t, 0);
	return 0;
}
