// expect: inconclusive reason="input"
// clocks: error kind=assertion line=15
// A program may read both: an adversary selects the input, the scheduler the times.
#include <assert.h>
#include <time.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
	int input = __VERIFIER_nondet_int();
	time_t start = time(0), now = time(0);
	if (input == 7) {
		if (now - start == 3)
			assert(0);
	}
}
