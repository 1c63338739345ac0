// expect: verified
// clocks: verified
// The waits of <threads.h>, and a sleep.
#include <assert.h>
#include <threads.h>
#include <time.h>

static time_t now(void)
{
	struct timespec t;
	timespec_get(&t, TIME_UTC);
	return t.tv_sec;
}

int main(void)
{
	mtx_t mutex;
	cnd_t never;
	mtx_init(&mutex, mtx_timed);
	cnd_init(&never);
	mtx_lock(&mutex);
	struct timespec until = {now() + 2, 0};
	int result = cnd_timedwait(&never, &mutex, &until);
	assert(result != thrd_timedout || now() >= until.tv_sec);
	mtx_unlock(&mutex);
	time_t start = now();
	assert(thrd_sleep(&(struct timespec){3, 0}, 0) == 0);
	assert(now() - start >= 3);
}
