// expect: error kind=hang line=9
// The initialiser calls once again.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void again(void)
{
	pthread_once(&once, again);
}

int main(void)
{
	pthread_once(&once, again);
	return 0;
}
