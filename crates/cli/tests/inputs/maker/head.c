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
static int number = 3;
static pthread_mutex_t locks[3] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER
};
static int guarded[3];
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static _Atomic unsigned char narrow;
static atomic_bool flag;
static unsigned char *heap;
static unsigned heap_size;
static const unsigned char text16[16] = "0\1\0\3 text 789a";

static volatile union {
	unsigned whole;
	unsigned short halves[2];
	unsigned char bytes[4];
} shared;

struct pair {
	int low, high;
};

struct padded {
	char tag;
	int value;
	short unset;
};

struct bits {
	unsigned a : 3;
	int b : 5;
	_Bool set : 1;
	unsigned long wide : 40;
};

struct fields {
	signed low : 3;
	unsigned mid : 7;
	signed high : 12;
	long wide : 35;
};

union views {
	struct fields fields;
	unsigned char bytes[8];
	short halves[4];
	int whole;
};

struct node {
	int value;
	struct node *next;
};

static const unsigned char classes[16] = { 0, 1, 1, 2, 2, 2, 0, 3, 3, 1 };
static const short steps[12] = { 7, 8, 9, 10, -4, -3, 90, 80, 70, 60, 61, 62 };
/* Each bit of a result is a sum of bits of the place. */
static const unsigned char reflected[16] = {
	0x5, 0x94, 0x2f, 0xbe, 0x42, 0xd3, 0x68, 0xf9,
	0x89, 0x18, 0xa3, 0x32, 0xce, 0x5f, 0xe4, 0x75
};
static const char digits[] = "0123456789abcdef";
static const struct pair points[6] = { { 3, 9 }, { 4, -1 }, { 5, -1 }, { 8, 0 }, { 8, 7 }, { 9, 11 } };
static const long powers[10] = { 1, 10, 100, 1000, -5, -4, -3, -2, 1l << 40, -1 };

static struct pair table[3] = { { 1, 2 }, { 3, 4 } };
static struct node nodes[3] = { { 1, &nodes[1] }, { 4, &nodes[2] }, { 2, 0 } };

static int minimum(int first, int second)
{
	return first < second ? first : second;
}

static int second_of(int first, int second)
{
	return second;
}

static int scaled(int first, int second)
{
	return first * 3 - (signed char)(second * 40);
}

static int (*const operations[3])(int, int) = { minimum, second_of, scaled };

union number {
	int whole;
	short halves[2];
};

static struct pair swapped(struct pair pair)
{
	return (struct pair){ pair.high, pair.low };
}

static struct padded turned(struct padded it, int by)
{
	if (by > 2)
		it.tag = it.value;
	return it;
}

/* Leaves a part undefined. */
static struct pair half(int low)
{
	struct pair pair;
	pair.low = low;
	return pair;
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
