// expect: verified
// broken: error kind=hang line=35 message="changed"
// A reader-writer lock of a mutex and a condition: the last reader tells the writer. With -DBROKEN:
// A reader-writer lock of a mutex and a condition: the readers do not tell the writer.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;

static void *read(void *arg)
{
	pthread_mutex_lock(&m);
	while (writing)
		pthread_cond_wait(&changed, &m);
	readers++;
	pthread_mutex_unlock(&m);

	pthread_mutex_lock(&m);
#ifdef BROKEN
	readers--;

#else
	if (--readers == 0)
		pthread_cond_broadcast(&changed);
#endif
	pthread_mutex_unlock(&m);
	return 0;
}

static void *write(void *arg)
{
	pthread_mutex_lock(&m);
	while (writing || readers > 0)
		pthread_cond_wait(&changed, &m);
	writing = 1;
	pthread_mutex_unlock(&m);

	pthread_mutex_lock(&m);
	writing = 0;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t reader, writer;
	pthread_create(&reader, 0, read, 0);
	pthread_create(&writer, 0, write, 0);
	read(0);
	pthread_join(reader, 0);
	pthread_join(writer, 0);
	return 0;
}
