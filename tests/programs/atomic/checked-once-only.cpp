// expect: error kind=memory-leak
// The second check is missing: two objects are made and one is lost.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int *> instance{nullptr};
std::mutex m;

static void get()
{
	if (!instance) {
		std::lock_guard guard(m);
		instance = new int(7);
	}
}

int main()
{
	std::thread t(get);
	get();
	t.join();
	delete instance.load();
	return 0;
}
