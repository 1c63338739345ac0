// expect: error kind=assertion line=13
// What another thread does before an assumption fails is part of the program.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
atomic_int published;

void *observer(void *unused)
{
	if (published)
		assert(!"seen");
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, observer, 0);
	published = 1;
	__VERIFIER_assume(0);
	pthread_join(thread, 0);
}
