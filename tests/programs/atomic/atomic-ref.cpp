// expect: verified
#include <atomic>
#include <thread>

int main()
{
	int n = 0;
	auto work = [&n] { std::atomic_ref<int>(n).fetch_add(1); };
	std::thread t(work);
	work();
	t.join();
	return n - 2;
}
