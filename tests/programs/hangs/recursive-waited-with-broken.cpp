// expect: error kind=hang line=14|20|25
// The wait undoes one lock of a recursive mutex, and there are two: nobody else can get it to signal.
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
    m.lock();
    wait_until_full();
    m.unlock();
    filler.join();
}
