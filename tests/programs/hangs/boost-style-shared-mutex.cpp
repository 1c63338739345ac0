// expect: verified
// broken: error kind=hang line=15|20 message="can never"
// Two readers hold the lock at the same time: each waits until the other one is there as well. With
// -DBROKEN: One reader asks for the lock as a writer would, and waits with it for the other one.
#include <atomic>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::atomic<int> inside = 0;

void read()
{
#ifdef BROKEN
    std::unique_lock lock(mutex);
#else
    std::shared_lock lock(mutex);
#endif
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
