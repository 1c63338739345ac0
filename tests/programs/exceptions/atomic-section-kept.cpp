// expect: verified
#include <cassert>
#include <thread>
extern "C" void __VERIFIER_atomic_begin();
extern "C" void __VERIFIER_atomic_end();
static int n;
static void work()
{
	__VERIFIER_atomic_begin();
	try { n++; throw 1; } catch (int) { n++; }
	assert(n % 2 == 0);
	__VERIFIER_atomic_end();
}
int main() { std::thread t(work); work(); t.join(); assert(n == 4); }
