// expect: verified
// broken: error kind=mutex-misuse line=14
#include <chrono>
#include <mutex>
static std::recursive_timed_mutex m;
int main()
{
	m.lock();
	if (m.try_lock_for(std::chrono::seconds(1)))
		m.unlock();
	std::lock_guard guard(m);
#ifdef BROKEN
	m.unlock(), m.unlock();
	m.unlock();
#else
	m.unlock();
	m.lock();
#endif
	m.unlock();
	m.lock();
	m.unlock();
	m.lock();
}
