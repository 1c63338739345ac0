// expect: verified
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;

static int work(void *arg)
{
	struct timespec t = {0, 0};
	assert(mtx_trylock(&m) == thrd_busy);
	assert(mtx_timedlock(&m, &t) == thrd_timedout);
	thrd_exit(4);
}

int main(void)
{
	struct timespec now;
	thrd_t t;
	int r;
	mtx_init(&m, mtx_timed);
	cnd_init(&c);
	mtx_lock(&m);
	thrd_create(&t, work, NULL);
	thrd_join(t, &r);
	assert(r == 4);
	timespec_get(&now, TIME_UTC);
	int w = cnd_timedwait(&c, &m, &now);
	assert(w == thrd_timedout || w == thrd_success);
	mtx_unlock(&m);
	mtx_destroy(&m);
	cnd_destroy(&c);
	return 0;
}
