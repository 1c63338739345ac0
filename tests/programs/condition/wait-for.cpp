// expect: verified
#include <chrono>
#include <condition_variable>
#include <mutex>

int main()
{
	std::mutex m;
	std::condition_variable c;
	std::unique_lock lock(m);
	return c.wait_for(lock, std::chrono::seconds(1), [] { return false; }) ? 1 : 0;
}
