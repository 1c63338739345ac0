// expect: verified
// Inputs may keep main in its loop, but the scheduler need not: the other thread can unlock.
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter, turning;

static void *count(void *given)
{
	pthread_mutex_lock(&mutex);
	atomic_fetch_add(&counter, 1);
	pthread_mutex_unlock(&mutex);
	return given;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, count, 0);
	do
		atomic_store(&turning, 0);
	while (impasse_choose(2));
	pthread_join(id, 0);
}
