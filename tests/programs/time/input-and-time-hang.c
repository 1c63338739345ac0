// expect: error kind=hang line=19
// clocks: error kind=hang line=19
// When more seconds pass than an input says, the program waits for what never happens.
#include <pthread.h>
#include <time.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	int most = __VERIFIER_nondet_int();
	__VERIFIER_assume(most >= 0 && most <= 60);
	time_t start = time(0), now = time(0);
	pthread_mutex_lock(&mutex);
	if (now - start > most)
		pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}
