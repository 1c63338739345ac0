// expect: verified
// broken: error kind=data-race line=10|11
#include <atomic>
#include <thread>

int main()
{
	int n = 0;
#ifdef BROKEN
	std::thread t([&n] { n = 5; });
	int seen = std::atomic_ref<int>(n).load();
#else
	auto work = [&n] { std::atomic_ref<int>(n).fetch_add(1); };
	std::thread t(work);
	work();
#endif
	t.join();
#ifdef BROKEN
	return seen > 5;
#else
	return n - 2;
#endif
}
