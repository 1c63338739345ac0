// expect: verified
// broken: error kind=data-race
// flags: --memory-model auto
// most-states: 25
// A counter whose values no thread reads before all others have been joined orders nothing, and
// nothing depends on its order. What reads it depends on it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> counted;
static std::mutex mutex;
static int data;

static void work()
{
    {
        std::lock_guard<std::mutex> lock(mutex);
        data++;
    }
#ifdef BROKEN
    if (counted.fetch_add(1, std::memory_order_relaxed) == 1)
        data = 2;
#else
    counted.fetch_add(1, std::memory_order_relaxed);
#endif
}

int main()
{
    std::thread one(work), other(work);
    one.join();
    other.join();
    assert(counted.load(std::memory_order_relaxed) == 2);
    assert(data == 2);
}
