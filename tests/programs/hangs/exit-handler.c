// expect: verified
// broken: error kind=hang line=13 message="can never lock m"
// What runs at exit takes a lock that is free by then. With -DBROKEN: The program leaves a critical
// section by exit, and what runs there needs the lock.
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
#ifdef BROKEN
	if (++log_lines > 0)
#else
	if (++log_lines > 1)
#endif
		exit(1);
	pthread_mutex_unlock(&m);
	return 0;
}
