// expect: verified
// broken: error kind=hang line=27 message="the main thread can never lock guard"
// A try that has succeeded is followed by unlocking. With -DBROKEN: A try that has succeeded
// is forgotten: the lock is kept by a thread that has ended.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex guard;
int shared = 0;

bool refresh()
{
    if (!guard.try_lock_for(std::chrono::milliseconds(10)))
        return false;
    shared++;
#ifndef BROKEN
    guard.unlock();
#endif
    return true;
}

int main()
{
    std::thread other(refresh);
    other.join();
    guard.lock();
    shared++;
    guard.unlock();
}
