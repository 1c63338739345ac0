// expect: verified
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int go;

static int work(void *arg)
{
	mtx_lock(&m);
	while (!go)
		cnd_wait(&c, &m);
	mtx_unlock(&m);
	return 0;
}

int main(void)
{
	thrd_t a, b;
	mtx_init(&m, mtx_plain | mtx_recursive);
	cnd_init(&c);
	thrd_create(&a, work, 0);
	thrd_create(&b, work, 0);
	mtx_lock(&m);
	go = 1;
	cnd_broadcast(&c);
	mtx_unlock(&m);
	thrd_join(a, 0);
	thrd_join(b, 0);
	return thrd_equal(a, thrd_current());
}
