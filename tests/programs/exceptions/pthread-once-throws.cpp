// expect: verified
#include <cassert>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries;
static void routine() { if (++tries == 1) throw 1; }
static void *work(void *)
{
	try {
		pthread_once(&once, routine);
	} catch (int) {
	}
	return nullptr;
}
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	work(nullptr);
	pthread_join(t, nullptr);
	assert(tries == 2);
}
