// expect: verified
#include <cassert>
#include <thread>
#include <atomic>
static std::atomic<int> tries;
static int &get() { static int n = [] { if (tries++ == 0) throw 1; return 5; }(); return n; }
static int caught;
static void work(int &c) { try { assert(get() == 5); } catch (int) { c++; } }
int main()
{
	int a = 0, b = 0;
	std::thread t([&] { work(a); });
	work(b);
	t.join();
	assert(a + b == 1);
}
