// expect: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable c;
	bool ready = false;
	std::thread t([&] {
		{
			std::lock_guard guard(m);
			ready = true;
		}
		c.notify_one();
	});
	{
		std::unique_lock lock(m);
		c.wait(lock, [&] { return ready; });
		assert(ready);
	}
	t.join();
	return 0;
}
