// expect: verified
#include <cassert>
#include <pthread.h>
#include <semaphore.h>
struct S { int *p = new int(1); ~S() { delete p; } };
static sem_t never;
static void *work(void *) { S s; sem_wait(&never); return nullptr; }
int main()
{
	sem_init(&never, 0, 0);
	pthread_t t;
	void *result;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == PTHREAD_CANCELED);
	sem_destroy(&never);
}
