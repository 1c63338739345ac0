// expect: verified
// flags: --nondet 0..3
#include <stdexcept>

extern "C" int __VERIFIER_nondet_int();

static int half(int x)
{
	if (x > 3)
		throw std::runtime_error("too large");
	return x / 2;
}

int main()
{
	try {
		return half(__VERIFIER_nondet_int()) > 1;
	} catch (...) {
		return 2;
	}
}
