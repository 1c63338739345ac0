// expect: error kind=hang line=9
#include <latch>
#include <thread>

int main()
{
	std::latch l(2);
	std::thread t([&] { l.count_down(); });
	l.wait();
	t.join();
	return 0;
}
