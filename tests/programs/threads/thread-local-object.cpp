// expect: verified
// Thread-local objects are constructed on first use and destroyed at the thread's end.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> alive{0};

struct Watch {
	Watch() { alive++; }
	~Watch() { alive--; }
	int n = 0;
};

thread_local Watch watch;

int main()
{
	std::thread t([] { watch.n++; assert(alive >= 1); });
	t.join();
	assert(alive == 0);
	return 0;
}
