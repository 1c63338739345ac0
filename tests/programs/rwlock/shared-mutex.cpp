// expect: verified
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main()
{
	std::shared_mutex m;
	int a = 0, b = 0;
	std::thread t([&] {
		std::shared_lock lock(m);
		assert(a == b);
	});
	{
		std::unique_lock lock(m);
		a++;
		b++;
	}
	t.join();
	return 0;
}
