// expect: verified
// broken: error kind=mutex-misuse line=20
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
static std::shared_timed_mutex m;
static std::condition_variable_any changed;
static bool ready;
int main()
{
	std::thread t([] {
		std::shared_lock lock(m);
		changed.wait(lock, [] { return ready; });
		std::shared_lock moved(std::move(lock));
		moved.unlock();
		if (moved.try_lock())
			moved.unlock();
#ifdef BROKEN
		m.unlock_shared();
#endif
	});
	{
		std::unique_lock lock(m);
		ready = true;
	}
	changed.notify_all();
	t.join();
}
