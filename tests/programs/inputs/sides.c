// expect: verified
// broken: error kind=assertion line=53
// most-states: 40
// The sides of branches that only compute are one execution: of loops that decide each bit of a
// number or compare all elements, too many would be possible. Sides may read an array.
#include <assert.h>
#include <pthread.h>

#define COUNT 5

unsigned __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);

static unsigned number, reversed;

static unsigned reverse(unsigned value)
{
	unsigned result = 0;
	for (int i = 0; i < 32; i++) {
		result <<= 1;
		if (value & 1)
			result |= 1;
		value >>= 1;
	}
	return result;
}

static void *turn(void *argument)
{
	reversed = reverse(number);
	return argument;
}

int main(void)
{
	number = __VERIFIER_nondet_uint();
	pthread_t thread;
	pthread_create(&thread, 0, turn, 0);
	int values[COUNT], positive = 0, least, most;
	for (int i = 0; i < COUNT; i++) {
		values[i] = __VERIFIER_nondet_int();
		if (values[i] > 0)
			positive++;
	}
	least = most = values[0];
	for (int i = 1; i < COUNT; i++) {
		if (values[i] < least)
			least = values[i];
		else if (values[i] > most)
			most = values[i];
	}
#ifdef BROKEN
	assert(positive != 3 || least != -7 || most != 9);
#endif
	for (int i = 0; i < COUNT; i++)
		assert(least <= values[i] && values[i] <= most);
	assert(least <= 0 || positive == COUNT);
	pthread_join(thread, 0);
	assert(reverse(reversed) == number);
	return 0;
}
