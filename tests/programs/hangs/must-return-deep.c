// expect: verified
// broken: error kind=hang line=17 message="can never return from visit"
// More than a hundred sections are open at once. With -DBROKEN: More than a hundred sections are
// open at once, and none can end.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;

static void visit(int depth)
{
	IMPASSE_MUST_RETURN;
	if (depth > 0)
		visit(depth - 1);
	else
		while (!go) {
		}
}

static void *blink(void *arg)
{
	for (;;)
#ifdef BROKEN
		go = 0;
#else
		go = !go;
#endif
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, blink, 0);
	visit(150);
	for (;;)
		visit(1);
}
