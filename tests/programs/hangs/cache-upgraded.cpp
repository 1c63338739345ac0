// expect: verified
// Whoever finds nothing in the cache gives the lock for reading up before it takes the one for writing.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int cached = -1;

int look_up()
{
    {
        std::shared_lock reading(guard);
        if (cached >= 0)
            return cached;
    }
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
