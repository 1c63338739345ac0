// expect: verified
// broken: error kind=assertion line=28
// clang: -fno-exceptions
#include <cassert>
#include <pthread.h>
static int handled;
static void handle(void *) { handled++; }
static void *work(void *)
{
	pthread_cleanup_push(handle, nullptr);
	pthread_exit(nullptr);
	pthread_cleanup_pop(0);
	return nullptr;
}
static void pops(int run)
{
	pthread_cleanup_push(handle, nullptr);
	pthread_cleanup_pop(run);
}
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
	pops(0);
	assert(handled == 1);
#ifdef BROKEN
	assert(handled == 2);
#endif
}
