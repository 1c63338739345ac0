// expect: verified
// broken: error kind=invalid-call line=14
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
#ifndef BROKEN
void __VERIFIER_atomic_end(void);
#endif
static int n;

static void *work(void *unused)
{
	__VERIFIER_atomic_begin();
	n = 1;
#ifndef BROKEN
	__VERIFIER_atomic_end();
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
}
