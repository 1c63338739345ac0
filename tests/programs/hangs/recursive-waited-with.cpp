// expect: verified
// The wait undoes the only lock of a recursive mutex.
#include <condition_variable>
#include <mutex>
#include <thread>

std::recursive_mutex m;
std::condition_variable_any filled;
bool is_full;

void wait_until_full()
{
    std::unique_lock lock(m);
    filled.wait(lock, [] { return is_full; });
}

int main()
{
    std::thread filler([] {
        std::lock_guard lock(m);
        is_full = true;
        filled.notify_one();
    });
    wait_until_full();
    m.lock();
    m.unlock();
    filler.join();
}
