// expect: verified
#include <atomic>
#include <thread>

int main()
{
	std::atomic<int> x{0};
	std::thread t([&] {
		x = 1;
		x.notify_one();
	});
	x.wait(0);
	t.join();
	return x != 1;
}
