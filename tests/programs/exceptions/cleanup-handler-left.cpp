// expect: verified
// broken: error kind=assertion line=55
// Clean-up handlers run however their scope is left: by an exception, return, goto, the end, or cancellation.
#include <cassert>
#include <pthread.h>
static int handled;
static void handle(void *p) { handled += *(int *)p; }
static int one = 1;
static void throws()
{
	pthread_cleanup_push(handle, &one);
	throw 1;
	pthread_cleanup_pop(0);
}
static void returns()
{
	pthread_cleanup_push(handle, &one);
	return;
	pthread_cleanup_pop(0);
}
static void jumps()
{
	for (int i = 0; i < 2; i++) {
		pthread_cleanup_push(handle, &one);
		if (i == 1)
			goto out;
		pthread_cleanup_pop(0);
	}
out:;
}
static void pops(int run)
{
	pthread_cleanup_push(handle, &one);
	pthread_cleanup_pop(run);
}
static void *is_cancelled(void *)
{
	pthread_cleanup_push(handle, &one);
	pthread_cancel(pthread_self());
	pthread_testcancel();
	pthread_cleanup_pop(0);
	return nullptr;
}
int main()
{
	try {
		throws();
	} catch (int) {
		assert(handled == 1);
	}
	returns();
	assert(handled == 2);
#ifdef BROKEN
	pops(0);
	assert(handled == 3);
#endif
	jumps();
	assert(handled == 3);
	pops(0);
	assert(handled == 3);
	pops(1);
	assert(handled == 4);
	pthread_t t;
	pthread_create(&t, nullptr, is_cancelled, nullptr);
	pthread_join(t, nullptr);
	assert(handled == 5);
}
