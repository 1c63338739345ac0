// expect: verified
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
	sem_t s;
	int v;
	struct timespec t = {0, 0};
	sem_init(&s, 0, 1);
	sem_getvalue(&s, &v);
	assert(v == 1);
	assert(sem_trywait(&s) == 0);
	assert(sem_trywait(&s) == -1 && errno == EAGAIN);
	assert(sem_timedwait(&s, &t) == -1 && errno == ETIMEDOUT);
	sem_post(&s);
	sem_post(&s);
	sem_getvalue(&s, &v);
	assert(v == 2);
	sem_destroy(&s);
	return 0;
}
