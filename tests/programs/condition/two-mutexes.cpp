// expect: verified
// broken: error kind=mutex-misuse
// Threads may wait for a std::condition_variable_any with different locks at the same time, but not
// for a std::condition_variable.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifdef BROKEN
static std::condition_variable condition;
#else
static std::condition_variable_any condition;
#endif
static std::mutex first, second;
static bool ready;

int main()
{
    std::thread waiter([] {
        std::unique_lock lock(first);
        condition.wait(lock, [] { return ready; });
    });
    {
        std::unique_lock lock(second);
        condition.wait_for(lock, std::chrono::seconds(1));
    }
    {
        std::lock_guard lock(first);
        ready = true;
    }
    condition.notify_all();
    waiter.join();
}
