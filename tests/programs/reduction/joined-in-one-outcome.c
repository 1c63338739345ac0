// expect: error kind=data-race line=20
// broken: error kind=data-race
// Main joins the thread in one outcome of its input only. In the other its access is not ordered.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static int first, second;

static void *increment(void *given)
{
	++*(int *)given;
	return given;
}

static void finish(pthread_t id)
{
	if (!__VERIFIER_nondet_bool())
		pthread_join(id, 0);
	first++;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, 0, increment, &first);
	pthread_create(&other, 0, increment, &second);
	pthread_join(other, 0);
#ifdef BROKEN
	if (__VERIFIER_nondet_bool())
		first++;
	else
		pthread_join(one, 0);
	first++;
#else
	finish(one);
#endif
}
