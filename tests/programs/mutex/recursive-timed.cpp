// expect: verified
#include <mutex>
#include <thread>

int main()
{
	std::recursive_timed_mutex m;
	int n = 0;
	auto work = [&] {
		std::lock_guard one(m);
		std::lock_guard two(m);
		n++;
	};
	std::thread t(work);
	work();
	t.join();
	return n - 2;
}
