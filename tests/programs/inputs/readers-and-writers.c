// expect: verified
// broken: error kind=data-race
// Readers and a writer take turns for an unknown number of rounds. With -DBROKEN: The reader takes no lock in the last
// round.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int rounds, value, copy;

static void *write_rounds(void *argument)
{
	for (int i = 0; i < rounds; i++) {
		pthread_rwlock_wrlock(&lock);
		value++;
		copy++;
		pthread_rwlock_unlock(&lock);
	}
	return argument;
}

static void *read_rounds(void *argument)
{
	for (int i = 0; i < rounds; i++) {
#ifdef BROKEN
		if (i == 2) {
			assert(value >= 0);
			continue;
		}
#endif
		pthread_rwlock_rdlock(&lock);
		assert(value == copy);
		pthread_rwlock_unlock(&lock);
	}
	return argument;
}

int main(void)
{
	pthread_t reader, writer;
	rounds = __VERIFIER_nondet_int();
	__VERIFIER_assume(rounds <= 4);
	pthread_create(&reader, 0, read_rounds, 0);
	pthread_create(&writer, 0, write_rounds, 0);
	pthread_join(reader, 0);
	pthread_join(writer, 0);
	assert(value == (rounds > 0 ? rounds : 0));
	return 0;
}
