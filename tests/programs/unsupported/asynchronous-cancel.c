// expect: inconclusive reason="asynchronous cancellation" line=22
// A thread that may be cancelled anywhere is.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *work(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	sem_post(&ready);
	for (;;)
		pthread_testcancel();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	sem_wait(&ready);
	pthread_cancel(thread);
	pthread_join(thread, 0);
	return 0;
}
