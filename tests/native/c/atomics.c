#include <stdatomic.h>
#include <stdio.h>

int main(void)
{
	atomic_int a = 5;
	_Atomic(short) s = -1;
	atomic_ullong u = 1;
	int expected = 5;
	printf("%d\n", atomic_compare_exchange_strong(&a, &expected, 9));
	printf("%d %d\n", atomic_compare_exchange_strong(&a, &expected, 1), expected);
	printf("%d %d %d\n", atomic_fetch_add(&a, 3), atomic_exchange(&a, 2), a);
	s += 5;
	s *= 3;
	u <<= 40;
	printf("%d %llu\n", s, (unsigned long long)u);
	atomic_flag f = ATOMIC_FLAG_INIT;
	printf("%d %d\n", atomic_flag_test_and_set(&f), atomic_flag_test_and_set(&f));
	return 0;
}
