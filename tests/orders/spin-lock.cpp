// expect: verified
// broken: data-race
// A spin lock acquires and releases, and nothing else.
#include <atomic>
#include <cassert>
#include <thread>

class SpinLock {
    std::atomic<bool> locked{false};

public:
    void lock()
    {
#ifdef BROKEN
        while (locked.exchange(true, std::memory_order_relaxed)) // enough: acquire
            ;
#else
        while (locked.exchange(true)) // enough: acquire
            ;
#endif
    }

    void unlock()
    {
#ifdef BROKEN
        locked.store(false, std::memory_order_relaxed); // enough: release
#else
        locked.store(false); // enough: release
#endif
    }
};

static SpinLock lock;
static int counter;

static void count()
{
    lock.lock();
    counter++;
    lock.unlock();
}

int main()
{
    std::thread other(count);
    count();
    other.join();
    assert(counter == 2);
}
