// expect: verified
// broken: error kind=assertion
// The locked instruction of each thread orders its store before the load that follows, on any place.
#include <assert.h>
#include <pthread.h>

static int raised[2], entered[2];

static void raise(int *flag)
{
#ifndef BROKEN
	int one = 1;
	__asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(*flag) : : "memory");
#else
	__asm__ volatile("movl %1, %0" : "=m"(*flag) : "r"(1) : "memory");
#endif
}

static int is_raised(int *flag)
{
	int value;
	__asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*flag) : "memory");
	return value;
}

static void *enter(void *mine)
{
	int me = mine != 0;
	raise(&raised[me]);
	entered[me] = !is_raised(&raised[!me]);
	return 0;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, enter, &other);
	enter(0);
	pthread_join(other, 0);
	assert(!entered[0] || !entered[1]);
}
