// expect: error kind=hang line=13|16|22 message="can never"
// por-off: skip
// One reader asks for the lock as a writer would, and waits with it for the other one.
#include <atomic>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::atomic<int> inside = 0;

void read()
{
    std::unique_lock lock(mutex);
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
