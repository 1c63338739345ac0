// expect: error kind=mutex-misuse|undefined-value line=7
#include <pthread.h>

int main(void)
{
	pthread_mutex_t m;
	pthread_mutex_lock(&m);
	return 0;
}
