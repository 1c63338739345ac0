// expect: error kind=mutex-misuse line=11
// broken: error kind=mutex-misuse line=15
// Who holds a lock for reading must not unlock it as if for writing, nor another thread.
#include <shared_mutex>
#include <thread>
static std::shared_mutex m;
int main()
{
	m.lock_shared();
#ifndef BROKEN
	m.unlock();
#endif
	m.unlock_shared();
	std::shared_lock lock(m);
	std::thread t([l = std::move(lock)]() mutable { l.unlock(); });
	t.join();
}
