// expect: verified
#include <barrier>
#include <cassert>
#include <thread>

int main()
{
	int completed = 0;
	auto done = [&]() noexcept { completed++; };
	std::barrier b(2, done);
	std::thread t([&] { b.arrive_and_wait(); });
	b.arrive_and_wait();
	t.join();
	assert(completed == 1);
	return 0;
}
