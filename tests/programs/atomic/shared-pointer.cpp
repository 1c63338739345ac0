// expect: verified
// The counts of a shared pointer are atomic; the object is destroyed once.
#include <cassert>
#include <memory>
#include <thread>

int destroyed;

struct Watch {
	~Watch() { destroyed++; }
};

int main()
{
	auto p = std::make_shared<Watch>();
	std::thread t([q = p]() mutable { q.reset(); });
	p.reset();
	t.join();
	assert(destroyed == 1);
	return 0;
}
