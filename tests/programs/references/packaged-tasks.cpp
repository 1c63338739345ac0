// expect: verified
// broken: error kind=hang
// most-states: 800
// Two workers take a packaged task, whose result main awaits. With -DBROKEN: No one tells the
// workers to stop.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

std::queue<std::function<void()>> tasks;
std::mutex guard;
std::condition_variable changed;
bool stopped = false;

void work()
{
	for (;;) {
		std::unique_lock lock(guard);
		changed.wait(lock, [] { return stopped || !tasks.empty(); });
		if (tasks.empty())
			return;
		auto task = std::move(tasks.front());
		tasks.pop();
		lock.unlock();
		task();
	}
}

int main()
{
	std::thread one(work), other(work);
	auto task = std::make_shared<std::packaged_task<int()>>([] { return 42; });
	auto result = task->get_future();
	{
		std::lock_guard lock(guard);
		tasks.emplace([task] { (*task)(); });
	}
	changed.notify_one();
	assert(result.get() == 42);
#ifndef BROKEN
	{
		std::lock_guard lock(guard);
		stopped = true;
	}
	changed.notify_all();
#endif
	one.join();
	other.join();
	return 0;
}
