// expect: verified
#include <cassert>
#include <thread>
extern "C" void __VERIFIER_atomic_begin();
extern "C" void __VERIFIER_atomic_end();
static int n;
struct Guard { Guard() { __VERIFIER_atomic_begin(); } ~Guard() { __VERIFIER_atomic_end(); } };
static void work() { try { Guard g; n++; throw 1; } catch (int) {} }
int main() { std::thread t(work); work(); t.join(); assert(n == 2); }
