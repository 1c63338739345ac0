// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int n;

static void work()
{
	std::call_once(flag, [] { n++; });
	assert(n == 1);
}

int main()
{
	std::thread t(work);
	work();
	t.join();
	return 0;
}
