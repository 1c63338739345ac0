// expect: verified
// broken: error kind=hang
// product: skip

/* While main only looks at the flag, it comes back to where it was: the other thread may not be
   left out for that. */

#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *given)
{
#ifndef BROKEN
	flag = 1;
#endif
	return given;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, set, 0);
	while (!flag)
		;
	pthread_join(id, 0);
}
