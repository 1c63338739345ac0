// expect: verified
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main()
{
	std::shared_timed_mutex m;
	int n = 0;
	std::thread t([&] {
		if (m.try_lock_shared())
			m.unlock_shared();
	});
	m.lock();
	n++;
	m.unlock();
	t.join();
	return n - 1;
}
