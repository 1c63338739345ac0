// expect: verified
// broken: error kind=assertion line=24
//
// Two threads of one function do the same, until one of them asks whether it is the second one. Either
// of them may come first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic pthread_t second;
static atomic_int arrived, begun;

static void *work(void *given)
{
	while (!begun)
		;
	int before = atomic_fetch_add(&arrived, 1);
	int is_second = pthread_equal(pthread_self(), second);
#ifdef BROKEN
	int unexpected = is_second && before == 0;
#else
	int unexpected = is_second && before > 1;
#endif
	assert(!unexpected);
	return given;
}

int main(void)
{
	pthread_t id[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, work, 0);
	second = id[1];
	begun = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
