// expect: error kind=uncaught-exception
#include <pthread.h>
static void *work(void *) { throw 1; }
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
}
