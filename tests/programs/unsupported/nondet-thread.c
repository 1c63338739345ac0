// expect: inconclusive reason="__VERIFIER_nondet_pthread_t" line=13
// broken: verified
// Which thread an input names cannot be tried in full. With -DBROKEN: It is not asked for.
#include <pthread.h>

pthread_t __VERIFIER_nondet_pthread_t(void);

int main(void)
{
#ifdef BROKEN
	pthread_t other = pthread_self();
#else
	pthread_t other = __VERIFIER_nondet_pthread_t();
#endif
	return !pthread_equal(other, pthread_self());
}
