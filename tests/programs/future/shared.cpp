// expect: verified
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::promise<int> p;
	std::shared_future<int> f = p.get_future().share();
	std::thread t([f] { assert(f.get() == 3); });
	p.set_value(3);
	assert(f.get() == 3);
	t.join();
	return 0;
}
