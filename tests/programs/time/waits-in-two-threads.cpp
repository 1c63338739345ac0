// expect: verified
// Two threads wait, each until a time of its own.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex mutex;
static std::condition_variable changed;
static bool is_done;

static void wait_for(std::chrono::seconds limit)
{
	std::unique_lock lock(mutex);
	bool was_done = changed.wait_for(lock, limit, [] { return is_done; });
	assert(was_done == is_done);
}

int main()
{
	std::thread first(wait_for, 1s);
	{
		std::lock_guard lock(mutex);
		is_done = true;
	}
	changed.notify_all();
	wait_for(5s);
	first.join();
}
