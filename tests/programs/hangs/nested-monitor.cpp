// expect: verified
// broken: error kind=hang line=19
// Waiting gives up the only lock that is held. With -DBROKEN: Waiting gives up the inner lock but
// not the outer one, which the thread that would end the wait needs.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer, inner;
std::condition_variable changed;
bool full = false;

void take()
{
#ifdef BROKEN
    std::lock_guard monitor(outer);
#endif
    std::unique_lock lock(inner);
    changed.wait(lock, [] { return full; });
    full = false;
}

void put()
{
#ifdef BROKEN
    std::lock_guard monitor(outer);
#endif
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
