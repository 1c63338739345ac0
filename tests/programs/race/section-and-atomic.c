// expect: error kind=data-race
// What an atomic section accesses races with what is atomic by itself, but is not in a section.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *in_section(void *none)
{
	__VERIFIER_atomic_begin();
	x++;
	__VERIFIER_atomic_end();
	return none;
}

static void *atomically(void *none)
{
#ifdef SECTION
	return in_section(none);
#else
	__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
	return none;
#endif
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, in_section, 0);
	pthread_create(&threads[1], 0, atomically, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
}
