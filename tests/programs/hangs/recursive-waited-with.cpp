// expect: verified
// broken: error kind=hang line=22|28|34
// The wait undoes the only lock of a recursive mutex. With -DBROKEN: There are two locks, and the
// wait undoes one: no other thread can lock the mutex to signal.
#include <condition_variable>
#include <mutex>
#include <thread>

#ifdef BROKEN
#define IS_HELD true
#else
#define IS_HELD false
#endif

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
    if (IS_HELD)
        m.lock();
    wait_until_full();
    if (!IS_HELD)
        m.lock();
    m.unlock();
    filler.join();
}
