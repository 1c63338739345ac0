// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	int n = 0;
	std::thread t([&] {
		std::unique_lock lock(m, std::defer_lock);
		assert(!lock.owns_lock());
		if (lock.try_lock())
			n++;
	});
	{
		std::unique_lock lock(m);
		n++;
		lock.unlock();
		lock.lock();
		n++;
	}
	t.join();
	assert(n == 2 || n == 3);
	return 0;
}
