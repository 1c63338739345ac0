// expect: verified
#include <assert.h>
#include <x86intrin.h>

int main(void)
{
	unsigned processor;
	unsigned long long before = __rdtsc(), between = __rdtscp(&processor);
	assert(before <= between && between <= __rdtsc());
	assert(processor == 0);
	return 0;
}
