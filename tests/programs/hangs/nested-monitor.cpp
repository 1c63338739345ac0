// expect: verified
// Waiting gives up the only lock that is held.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer, inner;
std::condition_variable changed;
bool full = false;

void take()
{
    std::unique_lock lock(inner);
    changed.wait(lock, [] { return full; });
    full = false;
}

void put()
{
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
