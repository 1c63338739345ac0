// expect: verified
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t([&p] { p.set_value(5); });
	assert(f.get() == 5);
	t.join();
	return 0;
}
