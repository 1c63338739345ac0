// expect: error kind=assertion line=24
// flags: --nondet 0..1
// Choices of several threads in all combinations.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int got[2];

static void *work(void *arg)
{
	*(int *)arg = __VERIFIER_nondet_int();
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, &got[0]);
	pthread_create(&b, 0, work, &got[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(got[0] || !got[1]);
	return 0;
}
