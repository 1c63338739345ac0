// expect: verified
// broken: error kind=data-race line=14|25
// Different bytes of one object. With -DBROKEN: Neighbouring bit fields share their storage.
#include <pthread.h>

#ifdef BROKEN
static struct { unsigned a : 4, b : 4; } shared;
#else
static struct { char a, b; int c[2]; } shared;
#endif

static void *work(void *arg)
{
	shared.a = 1;
#ifndef BROKEN
	shared.c[0] = 1;
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	shared.b = 2;
#ifndef BROKEN
	shared.c[1] = 2;
#endif
	pthread_join(t, 0);
	return 0;
}
