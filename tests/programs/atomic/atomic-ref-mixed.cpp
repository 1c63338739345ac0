// expect: error kind=data-race line=8|9
#include <atomic>
#include <thread>

int main()
{
	int n = 0;
	std::thread t([&n] { n = 5; });
	int seen = std::atomic_ref<int>(n).load();
	t.join();
	return seen > 5;
}
