// expect: verified
// por-off: skip
#include <cassert>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	int n = 0;
	auto work = [&] {
		std::lock_guard guard(m);
		n++;
	};
	std::thread a(work), b(work);
	a.join();
	b.join();
	assert(n == 2);
	return 0;
}
