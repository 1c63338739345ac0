// expect: verified
// broken: error kind=data-race line=19|20
// With -DBROKEN: A flag is no once.
#include <assert.h>
#include <pthread.h>

#ifndef BROKEN
static pthread_once_t once = PTHREAD_ONCE_INIT;
#endif
static int initialised;
#ifndef BROKEN

static void initialise(void) { initialised++; }
#endif

static void *work(void *arg)
{
#ifdef BROKEN
	if (!initialised)
		initialised = 1;
#else
	pthread_once(&once, initialise);
	assert(initialised == 1);
#endif
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
