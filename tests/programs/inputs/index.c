// expect: verified
// broken: error kind=out-of-bounds line=21
// An index that is an input selects an element. With -DBROKEN: It may be one too far.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static int result;

static void *look_up(void *argument)
{
	int index = __VERIFIER_nondet_int();
#ifdef BROKEN
	if (index < 0 || index > 8)
#else
	if (index < 0 || index >= 8)
#endif
		return argument;
	result = table[index];
	assert(result > 0 && result < 10);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, look_up, 0);
	pthread_join(thread, 0);
	return 0;
}
