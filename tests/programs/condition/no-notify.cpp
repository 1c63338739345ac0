// expect: error kind=hang line=16
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable c;
	bool ready = false;
	std::thread t([&] {
		std::lock_guard guard(m);
		ready = true;
	});
	std::unique_lock lock(m);
	c.wait(lock, [&] { return ready; });
	lock.unlock();
	t.join();
	return 0;
}
