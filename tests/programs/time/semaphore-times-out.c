// expect: verified
// clocks: verified
#include <assert.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
	sem_t semaphore;
	sem_init(&semaphore, 0, 0);
	struct timespec until, now;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	int failed = sem_timedwait(&semaphore, &until);
	clock_gettime(CLOCK_REALTIME, &now);
	assert(!failed || now.tv_sec >= until.tv_sec);
}
