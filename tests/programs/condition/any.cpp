// expect: verified
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main()
{
	std::shared_mutex m;
	std::condition_variable_any c;
	bool ready = false;
	std::thread t([&] {
		std::unique_lock lock(m);
		ready = true;
		c.notify_all();
	});
	{
		std::shared_lock lock(m);
		c.wait(lock, [&] { return ready; });
	}
	t.join();
	return 0;
}
