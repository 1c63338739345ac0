// expect: verified
#include <cassert>
#include <future>
#include <thread>
int main()
{
	std::packaged_task<int(int)> task([](int n) -> int { throw n; });
	auto f = task.get_future();
	std::thread t(std::move(task), 4);
	try { f.get(); assert(0); } catch (int i) { assert(i == 4); }
	t.join();
}
