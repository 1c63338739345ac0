// expect: verified
// What runs at exit takes a lock that is free by then.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int log_lines;

static void flush(void)
{
	pthread_mutex_lock(&m);
	log_lines = 0;
	pthread_mutex_unlock(&m);
}

int main(void)
{
	atexit(flush);
	pthread_mutex_lock(&m);
	if (++log_lines > 1)
		exit(1);
	pthread_mutex_unlock(&m);
	return 0;
}
