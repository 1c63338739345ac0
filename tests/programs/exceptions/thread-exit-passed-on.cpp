// expect: verified
#include <pthread.h>
static int passed;
static void *work(void *) { try { pthread_exit(nullptr); } catch (...) { passed++; throw; } }
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
	return passed - 1;
}
