// expect: verified
// broken: error kind=assertion line=43
// most-states: 400
// Constants are loaded at places that inputs select: a table with few results, one whose results
// grow as the places do, and one whose index may be negative.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const short days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
static const struct {
	int below, above;
} around[5] = { { -3, 3 }, { -2, 4 }, { -1, 5 }, { 0, 6 }, { 1, 7 } };

static int of_letter(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : 63;
}

static void *encode(void *argument)
{
	unsigned bits = __VERIFIER_nondet_uint() >> 26;
	assert(of_letter(alphabet[bits]) == (int)bits);
	return argument;
}

static void *look(void *argument)
{
	int month = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
	__VERIFIER_assume(month >= 1 && month <= 12 && at >= -2 && at <= 2);
	assert((days[month - 1] == 28) == (month == 2));
#ifdef BROKEN
	assert((&around[2])[at].above - (&around[2])[at].below == 6 && days[month - 1] != 30);
#else
	assert((&around[2])[at].above - (&around[2])[at].below == 6 && days[month - 1] != 29);
#endif
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, encode, 0);
	pthread_create(&threads[1], 0, look, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	return 0;
}
