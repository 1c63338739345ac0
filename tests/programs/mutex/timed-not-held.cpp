// expect: error kind=mutex-misuse line=10
// broken: error kind=mutex-misuse line=14
// Only the thread that holds a lock may unlock it, whatever its type.
#include <mutex>
#include <thread>
static std::timed_mutex m;
int main()
{
#ifndef BROKEN
	m.unlock();
#endif
	m.lock();
	std::thread t([] {
		m.unlock();
	});
	t.join();
}
