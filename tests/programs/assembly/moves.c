// expect: verified
#include <assert.h>

static int number = 5;
static long wide = 6;
static void *place = &number;

static int load(int *p)
{
	int n;
	__asm__ volatile("movl %1, %0" : "=r"(n) : "m"(*p) : "memory");
	return n;
}

static void store(long *p, long n)
{
	__asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(n) : "memory");
}

static void store_constant(long *p)
{
	__asm__ volatile("movq $7, (%0)" : : "r"(p) : "memory");
}

static void *load_pointer(void **p)
{
	void *at;
	__asm__ volatile("mov %1, %0" : "=r"(at) : "m"(*p));
	return at;
}

static int constant(void)
{
	int n;
	__asm__("movl $3, %0" : "=r"(n));
	return n;
}

static long copy(long n)
{
	long m;
	__asm__("movq %1, %0" : "=r"(m) : "r"(n));
	return m;
}

static void *exchange(void **p, void *new)
{
	__asm__ volatile("xchgq %0, %1" : "+r"(new), "+m"(*p) : : "memory");
	return new;
}

static long exchange_without_size(long *p, long new)
{
	__asm__ volatile("xchg %0, %1" : "+r"(new), "+m"(*p) : : "memory");
	return new;
}

int main(void)
{
	assert(load(&number) == 5);
	store(&wide, 1L << 40);
	assert(wide == 1L << 40);
	store_constant(&wide);
	assert(wide == 7);
	assert(*(int *)load_pointer(&place) == 5);
	assert(constant() == 3 && copy(8) == 8);
	assert(exchange(&place, &wide) == &number && place == &wide);
	assert(exchange_without_size(&wide, 9) == 7 && wide == 9);
}
