// expect: error kind=assertion
#include <pthread.h>
static void *work(void *) { try { pthread_exit(nullptr); } catch (...) {} return nullptr; }
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
}
