// expect: verified
#include <cassert>
#include <thread>
static int destroyed;
struct S { int n = 0; ~S() { destroyed++; } };
static thread_local S s;
int main()
{
	std::thread t([] { s.n = 1; try { throw 1; } catch (int) { s.n++; } });
	t.join();
	assert(destroyed == 1);
}
