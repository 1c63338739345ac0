// expect: error kind=invalid-call line=10
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
static int n;

static void *work(void *unused)
{
	__VERIFIER_atomic_begin();
	n = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
}
