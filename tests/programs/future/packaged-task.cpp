// expect: verified
#include <cassert>
#include <future>
#include <thread>

int main()
{
	std::packaged_task<int(int)> task([](int x) { return x + 1; });
	auto f = task.get_future();
	std::thread t(std::move(task), 6);
	assert(f.get() == 7);
	t.join();
	return 0;
}
