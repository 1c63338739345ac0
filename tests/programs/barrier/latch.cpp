// expect: verified
#include <cassert>
#include <latch>
#include <thread>

int main()
{
	std::latch l(2);
	int a = 0, b = 0;
	std::thread s([&] { a = 1; l.count_down(); });
	std::thread t([&] { b = 1; l.count_down(); });
	l.wait();
	assert(a + b == 2);
	s.join();
	t.join();
	return 0;
}
