// expect: verified
// flags: --signed-overflow
// broken: error kind=signed-overflow line=28
// An account never overflows, whatever is paid in. With -DBROKEN: The limit is not checked.
#include <limits.h>
#include <pthread.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *pay(void *argument)
{
	int amount = __VERIFIER_nondet_int();
	__VERIFIER_assume(amount >= 0);
	pthread_mutex_lock(&mutex);
#ifndef BROKEN
	if (amount > INT_MAX - balance) {
		pthread_mutex_unlock(&mutex);
		return 0;
	}
#endif
	int before = balance;
	(void)before;
	balance = balance + amount;
	assert(balance >= before);
	pthread_mutex_unlock(&mutex);
	return argument;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, 0, pay, 0);
	pthread_create(&other, 0, pay, 0);
	pthread_join(one, 0);
	pthread_join(other, 0);
	return 0;
}
