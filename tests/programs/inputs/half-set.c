// expect: error kind=undefined-value line=24
// broken: verified

/* Half of a number has a value, which an input is; a comparison of more than that is undefined. The
   twin masks the rest. */

#include <string.h>

int __VERIFIER_nondet_int(void);

#ifdef BROKEN
#define MASK 0xff
#else
#define MASK 0x1ffff
#endif

static int found;

int main(void)
{
	int whole;
	short half = __VERIFIER_nondet_int();
	memcpy(&whole, &half, sizeof half);
	if ((whole & MASK) == 3)
		found = 1;
	return 0;
}
