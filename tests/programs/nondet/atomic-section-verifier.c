// expect: verified
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int n;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		__VERIFIER_atomic_begin();
		n = n + 1;
		__VERIFIER_atomic_end();
	}
	return 0;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, work, 0);
	work(0);
	pthread_join(a, 0);
	assert(n == 4);
	return 0;
}
