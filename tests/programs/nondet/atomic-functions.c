// expect: verified
// broken: error kind=data-race
// A function of such a name is one step, with all that it calls and however it returns. With
// -DBROKEN: What is read outside of it races.
#include <assert.h>
#include <pthread.h>

static int balance = 10, withdrawals;

static void note(void)
{
	withdrawals++;
}

int __VERIFIER_atomic_withdraw(int amount)
{
	if (balance < amount)
		return 0;
	balance -= amount;
	note();
	return 1;
}

static void *spend(void *unused)
{
	__VERIFIER_atomic_withdraw(6);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, spend, 0);
	pthread_create(&b, 0, spend, 0);
#ifdef BROKEN
	assert(balance >= 4);
#endif
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(balance == 4 && withdrawals == 1);
	return 0;
}
