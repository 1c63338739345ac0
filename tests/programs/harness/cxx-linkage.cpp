// expect: verified
// broken: error kind=assertion line=40
// flags: --nondet 0..3
// C++ declares the functions of a harness without extern "C", with parameters of its own. With
// -DBROKEN: The assertion fails for one input.
#include <stddef.h>
#include <thread>

int __VERIFIER_nondet_int();
int __VERIFIER_nondet_short(int, ...);
bool __VERIFIER_nondet_bool();
unsigned char __VERIFIER_nondet_uchar();
void __VERIFIER_nondet_memory(void *, size_t);
void __VERIFIER_assume(bool);
void __VERIFIER_assert(long);
void __VERIFIER_atomic_begin();
void __VERIFIER_atomic_end();
void __VERIFIER_loop_begin();
void __VERIFIER_spin_start();
void __VERIFIER_spin_end(bool);
[[noreturn]] void __VERIFIER_error();
void reach_error(const char *);

static int n;

static void add()
{
	__VERIFIER_atomic_begin();
	n++;
	__VERIFIER_atomic_end();
}

int main()
{
	std::thread other(add);
	add();
	other.join();
	int limit = n + 1;
#ifdef BROKEN
	__VERIFIER_assert(__VERIFIER_nondet_int() < limit);
#else
	limit++;
#endif
	int x = __VERIFIER_nondet_int();
	__VERIFIER_assume(x < limit);
	if (x > 3 || __VERIFIER_nondet_short(1, 2) > 3)
		__VERIFIER_error();
	for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), __VERIFIER_spin_end(n != 2), n != 2;)
		;
	unsigned char byte = 1;
	__VERIFIER_nondet_memory(&byte, 1);
	if (__VERIFIER_nondet_uchar() > 3 || byte > 3 || byte + __VERIFIER_nondet_bool() > 4)
		reach_error("out of range");
}
