#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "impasse.h"

#ifdef TRY
static int input(int n)
{
	return impasse_choose(n);
}
#elif defined STDIN
static int input(int n)
{
	unsigned char byte;
	read(0, &byte, 1);
	impasse_assume(byte < n && byte < 8);
	return byte;
}
#elif defined ARGUMENT
static char *text;
static atomic_int at;

static int input(int n)
{
	int own = at++, value = own < strlen(text) ? text[own] : 0;
	impasse_assume(value >= 0 && value < n && value < 8);
	return value;
}
#elif defined RAND
static int input(int n)
{
	int value = rand();
	impasse_assume(value < n && value < 16);
	return value;
}
#elif defined BYTES
extern unsigned char __VERIFIER_nondet_uchar(void);

static int input(int n)
{
	int value = __VERIFIER_nondet_uchar();
	impasse_assume(value < n);
	return value;
}
#else
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int input(int n)
{
	int value = __VERIFIER_nondet_int();
	__VERIFIER_assume(value >= 0 && value < n);
	return value;
}
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
IMPASSE_OUTCOME(int, a);
IMPASSE_OUTCOME(int, b);
IMPASSE_OUTCOME(atomic_int, c);
IMPASSE_OUTCOME(atomic_int, d);
static int plain;
static short array[4] = { 1, 2, 3, 4 };
static int first, second;

static volatile union {
	unsigned whole;
	unsigned short halves[2];
	unsigned char bytes[4];
} shared;

struct pair {
	int low, high;
};

union number {
	int whole;
	short halves[2];
};

static struct pair swapped(struct pair pair)
{
	return (struct pair){ pair.high, pair.low };
}

/* A divisor that clang does not know: it takes a division by a constant zero for no value. */
static int unknown(int n)
{
	volatile int own = n;
	return own;
}

static int twice(int n)
{
	return n > 2 ? n + n : 2 * n;
}
