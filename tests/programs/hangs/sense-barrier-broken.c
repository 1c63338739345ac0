// expect: error kind=hang line=18 message="can never return from meet"
// A barrier that spins, after Mellor-Crummey and Scott: the flag is set before the count is, so
// that a quick thread counts in the old round.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int missing = 2, sense;

static void meet(int *own)
{
	IMPASSE_MUST_RETURN;
	*own = !*own;
	if (atomic_fetch_sub(&missing, 1) == 1) {
		sense = *own;
		missing = 2;
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
