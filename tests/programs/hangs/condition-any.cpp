// expect: verified
// por-off: skip
// A std::condition_variable_any with a shared lock.
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any changed;
bool ready;

int main()
{
    std::thread other([] {
        std::unique_lock lock(m);
        ready = true;
        changed.notify_all();
    });
    std::shared_lock lock(m);
    changed.wait(lock, [] { return ready; });
    lock.unlock();
    other.join();
}
