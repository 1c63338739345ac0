// expect: verified
// broken: error kind=hang line=16|26
// A thread that finds nothing in the cache releases the read lock before it takes the one for
// writing. With -DBROKEN: A thread that finds nothing in the cache takes the write lock while it
// holds the one for reading.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int cached = -1;

int look_up()
{
#ifdef BROKEN
    std::shared_lock reading(guard);
    if (cached >= 0)
        return cached;
#else
    {
        std::shared_lock reading(guard);
        if (cached >= 0)
            return cached;
    }
#endif
    std::unique_lock writing(guard);
    if (cached < 0)
        cached = 7;
    return cached;
}

int main()
{
    std::thread other(look_up);
    int found = look_up();
    other.join();
    return found == 7 ? 0 : 1;
}
