// expect: verified
// flags: --nondet -2..9
#include <assert.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
	bool b = __VERIFIER_nondet_bool();
	assert(b == 0 || b == 1);
	char c = __VERIFIER_nondet_char();
	assert(c >= -2);
	unsigned char u = __VERIFIER_nondet_uchar();
	assert(u <= 255);
	return 0;
}
