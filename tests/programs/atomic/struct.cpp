// expect: verified
// An atomic structure of eight bytes is read as a whole.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair { int a = 0, b = 0; };

int main()
{
	std::atomic<Pair> p;
	p.store(Pair{});
	std::thread t([&] { p.store(Pair{1, 1}); });
	Pair q = p.load();
	assert(q.a == q.b);
	t.join();
	return 0;
}
