// expect: error kind=undefined-value line=28
// broken: inconclusive

/* Bytes that were never set are not equal to others: comparing them, beside those of inputs, decides
   by undefined values. How two of them differ is not followed. */

#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct pair {
	int member;
	int unset;
};

int main(void)
{
	struct pair one, other;
	one.member = __VERIFIER_nondet_int();
	other.member = one.member;
	unsigned long a, b;
	memcpy(&a, &one, sizeof a);
	memcpy(&b, &other, sizeof b);
#ifdef BROKEN
	assert((a ^ b) == 0);
#else
	assert(a == b);
#endif
}
