// expect: verified
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int n;

static void *work(void *unused)
{
	__VERIFIER_atomic_begin();
	n = 1;
	__VERIFIER_atomic_end();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
}
