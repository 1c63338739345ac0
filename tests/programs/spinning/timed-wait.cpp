// expect: verified
// A wait with a time ends, whatever others do.
#include <condition_variable>
#include <mutex>

int main()
{
	std::mutex mutex;
	std::condition_variable condition;
	std::unique_lock lock(mutex);
	condition.wait_for(lock, std::chrono::milliseconds(1));
}
