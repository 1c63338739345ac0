// expect: error kind=hang
// The destructor says nothing to the worker that waits.
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
	std::mutex m;
	std::condition_variable c;
	bool stopping = false;
	std::thread worker{[this] {
		std::unique_lock lock(m);
		c.wait(lock, [this] { return stopping; });
	}};

public:
	~Pool()
	{
		{
			std::lock_guard lock(m);
			stopping = true;
		}
		worker.join();
	}
};

int main()
{
	Pool p;
	return 0;
}
