// expect: verified
#include <chrono>
#include <mutex>
#include <thread>

int main()
{
	std::timed_mutex m;
	int n = 0;
	std::thread t([&] {
		if (m.try_lock_for(std::chrono::milliseconds(5))) {
			n++;
			m.unlock();
		}
	});
	m.lock();
	n++;
	m.unlock();
	t.join();
	return n < 1 || n > 2;
}
