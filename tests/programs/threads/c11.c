// expect: verified
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready;

static void init(void)
{
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	tss_create(&key, NULL);
}

static int work(void *arg)
{
	call_once(&flag, init);
	tss_set(key, &ready);
	mtx_lock(&m);
	ready = 1;
	cnd_signal(&c);
	mtx_unlock(&m);
	assert(tss_get(key) == &ready);
	return 5;
}

int main(void)
{
	thrd_t t;
	int r;
	call_once(&flag, init);
	assert(thrd_create(&t, work, NULL) == thrd_success);
	mtx_lock(&m);
	while (!ready)
		cnd_wait(&c, &m);
	mtx_unlock(&m);
	assert(thrd_join(t, &r) == thrd_success && r == 5);
	mtx_destroy(&m);
	cnd_destroy(&c);
	return 0;
}
