// expect: error kind=hang line=15
// Waiting gives up the inner lock but not the outer one, which whoever would end the wait needs.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer, inner;
std::condition_variable changed;
bool full = false;

void take()
{
    std::lock_guard monitor(outer);
    std::unique_lock lock(inner);
    changed.wait(lock, [] { return full; });
    full = false;
}

void put()
{
    std::lock_guard monitor(outer);
    std::lock_guard lock(inner);
    full = true;
    changed.notify_one();
}

int main()
{
    std::thread taker(take);
    put();
    taker.join();
}
