// expect: verified
#include <atomic>
#include <thread>
extern "C" void __VERIFIER_atomic_begin();
extern "C" void __VERIFIER_atomic_end();
static std::atomic<int> ready;
static void f() { __VERIFIER_atomic_begin(); throw 1; }
int main()
{
	std::thread t([] { ready = 1; });
	try { f(); } catch (int) {}
	while (!ready) {}
	t.join();
}
