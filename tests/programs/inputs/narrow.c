// expect: verified
// broken: error kind=assertion line=24
// most-states: 60
// An input becomes narrow, with a sign or without one, and selects places of a table by what it is.
#include <assert.h>

int __VERIFIER_nondet_int(void);

static const unsigned short places[300] = { [0 ... 127] = 1, [128 ... 255] = 2, [256 ... 299] = 3 };

int main(void)
{
	int input = __VERIFIER_nondet_int();
	int with_sign = (signed char)input, without = (unsigned char)input;
	assert(with_sign >= -128 && with_sign <= 127 && without >= 0 && without <= 255);
	assert((short)input <= 32767 && (unsigned short)input <= 65535 && (unsigned short)input >= 0);

	signed char index = input;
	if (index >= 0)
		assert(places[index] == 1);
	unsigned char other = input;
	assert(places[other] == 1 + (other > 127));
#ifdef BROKEN
	assert(with_sign == without);
#endif
	return 0;
}
