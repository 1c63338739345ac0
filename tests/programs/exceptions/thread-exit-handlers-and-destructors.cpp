// expect: verified
#include <cassert>
#include <pthread.h>
static int handled, destroyed;
static void handler(void *p) { handled += *(int *)p; }
struct S { ~S() { destroyed++; } };
static void *work(void *)
{
	int n = 5;
	S s;
	pthread_cleanup_push(handler, &n);
	pthread_exit(nullptr);
	pthread_cleanup_pop(0);
	return nullptr;
}
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
	assert(handled == 5 && destroyed == 1);
}
