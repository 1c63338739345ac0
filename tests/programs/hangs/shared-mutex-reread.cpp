// expect: verified
// broken: error kind=hang line=16|25
// Each of two readers lets go before it asks for the lock as a writer. With -DBROKEN: Each of two
// readers asks for the lock as a writer.
#include <optional>
#include <shared_mutex>
#include <thread>

struct Cache {
    std::shared_mutex lock;
    std::optional<int> value;
} cache;

int get()
{
    std::shared_lock reading(cache.lock);
    if (cache.value)
        return *cache.value;
#ifdef BROKEN
    // reading.unlock() is missing
#else
    reading.unlock();
#endif

    std::unique_lock writing(cache.lock);
    cache.value = 42;
    return 42;
}

int main()
{
    std::thread other(get);
    get();
    other.join();
}
