// expect: verified
// por-off: skip
// A pool of one worker that is shut down.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Pool {
	std::mutex m;
	std::condition_variable c;
	std::deque<std::function<void()>> tasks;
	bool stopping = false;
	std::thread worker{[this] { work(); }};

	void work()
	{
		for (;;) {
			std::unique_lock lock(m);
			c.wait(lock, [this] { return stopping || !tasks.empty(); });
			if (tasks.empty())
				return;
			auto task = std::move(tasks.front());
			tasks.pop_front();
			lock.unlock();
			task();
		}
	}

public:
	void submit(std::function<void()> f)
	{
		std::lock_guard lock(m);
		tasks.push_back(std::move(f));
		c.notify_one();
	}
	~Pool()
	{
		{
			std::lock_guard lock(m);
			stopping = true;
		}
		c.notify_all();
		worker.join();
	}
};

int main()
{
	int done = 0;
	{
		Pool p;
		p.submit([&] { done++; });
	}
	return done != 1;
}
