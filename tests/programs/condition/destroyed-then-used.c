// expect: error kind=mutex-misuse line=11
// broken: error kind=mutex-misuse line=13
#include <pthread.h>

int main(void)
{
	pthread_cond_t c;
	pthread_cond_init(&c, 0);
	pthread_cond_destroy(&c);
#ifndef BROKEN
	pthread_cond_broadcast(&c);
#else
	pthread_cond_destroy(&c);
#endif
	return 0;
}
