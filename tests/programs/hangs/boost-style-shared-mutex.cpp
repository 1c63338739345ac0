// expect: verified
// por-off: skip
// Two readers hold the lock at the same time: each waits until the other one is there as well.
#include <atomic>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::atomic<int> inside = 0;

void read()
{
    std::shared_lock lock(mutex);
    inside++;
    while (inside < 2)
        std::this_thread::yield();
}

int main()
{
    std::thread other(read);
    read();
    other.join();
}
