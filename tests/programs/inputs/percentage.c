// expect: verified
// broken: error kind=assertion line=29
// Two threads work off parts of a whole, which is any number of pieces. With -DBROKEN: The whole may have none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static atomic_uint done;

static void *work(void *argument)
{
	done += *(unsigned *)argument;
	return 0;
}

int main(void)
{
	pthread_t thread;
	unsigned own = __VERIFIER_nondet_uint(), other = __VERIFIER_nondet_uint();
	__VERIFIER_assume(own < 4 && other < 4);
	pthread_create(&thread, 0, work, &other);
	work(&own);
	pthread_join(thread, 0);
#ifdef BROKEN
	float share = (float)done / (own + other);
	assert(share == 1);
#else
	float share = own + other ? (float)done / (own + other) : 1;
	assert(share == 1);
#endif
	return 0;
}
