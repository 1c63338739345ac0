// expect: error kind=hang|mutex-misuse
// Unlocked by two guards.
#include <mutex>

int main()
{
	std::mutex m;
	m.lock();
	std::lock_guard one(m, std::adopt_lock);
	std::lock_guard two(m, std::adopt_lock);
	return 0;
}
