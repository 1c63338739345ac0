// expect: verified
// broken: error kind=hang line=25 message="can never return from meet"
// A barrier that spins, after Mellor-Crummey and Scott: the sense of the flag changes with each
// round. With -DBROKEN: A barrier that spins, after Mellor-Crummey and Scott: the flag is set
// before the count is, so that a quick thread counts in the old round.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int missing = 2, sense;

static void meet(int *own)
{
	IMPASSE_MUST_RETURN;
	*own = !*own;
	if (atomic_fetch_sub(&missing, 1) == 1) {
#ifdef BROKEN
		sense = *own;
#endif
		missing = 2;
#ifndef BROKEN
		sense = *own;
#endif
	}
	while (sense != *own) {
	}
}

static void *work(void *arg)
{
	int own = 0;
	for (;;)
		meet(&own);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	work(0);
}
