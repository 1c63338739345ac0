// expect: verified
// A try that has succeeded is followed by unlocking.
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
    guard.unlock();
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
