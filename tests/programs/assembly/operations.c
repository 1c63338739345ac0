// expect: verified
#include <assert.h>

static int number = 5;

static int exchange(int *p, int new)
{
	__asm__ volatile("xchgl %0,%1" : "+r"(new), "+m"(*p)::"memory");
	return new;
}

static int exchange_otherwise(int *p, int new)
{
	int old;
	__asm__ volatile("lock; xchgl %0, %1" : "+m"(*p), "=a"(old) : "1"(new) : "cc");
	return old;
}

static int compare_exchange(int *p, int old, int new)
{
	int seen;
	__asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(seen), "+m"(*p) : "r"(new), "0"(old) : "memory");
	return seen;
}

static int succeeds(int *p, int old, int new)
{
	unsigned char equal;
	__asm__ volatile("lock\n\tcmpxchgl %3, %1\n\tsete %0"
	                 : "=q"(equal), "+m"(*p), "+a"(old)
	                 : "r"(new)
	                 : "memory", "cc");
	return equal;
}

static int flag_succeeds(int *p, int old, int new)
{
	int equal;
	__asm__ volatile("lock cmpxchgl %3,%1" : "=@ccz"(equal), "+m"(*p), "+a"(old) : "r"(new) : "memory");
	return equal;
}

static long fetch_add(long *p, long n)
{
	__asm__ volatile("lock; xaddq %0, %1" : "+r"(n), "+m"(*p)::"memory");
	return n;
}

static short exchange_through_register(short *p, short new)
{
	__asm__ volatile("xchgw %0, (%1)" : "+r"(new) : "r"(p) : "memory");
	return new;
}

int main(void)
{
	assert(exchange(&number, 7) == 5 && number == 7);
	assert(exchange_otherwise(&number, 8) == 7 && number == 8);
	assert(compare_exchange(&number, 7, 9) == 8 && number == 8);
	assert(compare_exchange(&number, 8, 9) == 8 && number == 9);
	assert(!succeeds(&number, 8, 1) && succeeds(&number, 9, 10) && number == 10);
	assert(!flag_succeeds(&number, 9, 1) && flag_succeeds(&number, 10, 11) && number == 11);
	long big = 1L << 40;
	assert(fetch_add(&big, 2) == 1L << 40 && big == (1L << 40) + 2);
	__asm__ volatile("lock; incl %0" : "+m"(number));
	__asm__ volatile("lock; decl %0" : "+m"(number)::"memory", "cc");
	__asm__ volatile("lock; addl %1,%0" : "+m"(number) : "ir"(9));
	__asm__ volatile("lock; subl $4,%0" : "+m"(number));
	__asm__ volatile("lock; orl %1,%0" : "+m"(number) : "r"(32));
	__asm__ volatile("lock; andl $-17,%0" : "+m"(number));
	__asm__ volatile("lock; xorl %1,%0" : "+m"(number) : "ir"(3));
	assert(number == ((((11 + 9 - 4) | 32) & -17) ^ 3));
	short small = 3;
	assert(exchange_through_register(&small, 4) == 3 && small == 4);
	int a = 1, b = 2;
	__asm__("" : "+r"(a), "+r"(b));
	assert(a == 1 && b == 2);
	return 0;
}
