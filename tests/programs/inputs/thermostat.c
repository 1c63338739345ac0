// expect: verified
// broken: error kind=assertion line=33
// A thermostat takes any number for a temperature, and keeps to its range. With -DBROKEN: What is not a number slips
// through.
#include <assert.h>
#include <pthread.h>

double __VERIFIER_nondet_double(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double target = 20;

static void *set(void *argument)
{
	double wanted = __VERIFIER_nondet_double();
#ifdef BROKEN
	if (wanted < 5)
		wanted = 5;
#else
	if (!(wanted >= 5))
		wanted = 5;
#endif
	if (wanted > 30)
		wanted = 30;
	pthread_mutex_lock(&lock);
	target = wanted;
	pthread_mutex_unlock(&lock);
	return argument;
}

static void check(void)
{
	assert(target >= 5 && target <= 30);
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, set, 0);
	pthread_mutex_lock(&lock);
	check();
	pthread_mutex_unlock(&lock);
	pthread_join(thread, 0);
	check();
	return 0;
}
