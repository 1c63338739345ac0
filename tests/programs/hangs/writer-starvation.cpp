// expect: verified
// broken: error kind=hang line=20|36 message="lock lock"
// Two readers may hold the lock by turns so that the writer never gets it; but it always could.
// Starving is not hanging. With -DBROKEN: The reader never lets go of the lock: the writer does not
// starve, it hangs.
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int value;

void read()
{
#ifdef BROKEN
    std::shared_lock guard(lock);
#endif
    for (;;) {
#ifdef BROKEN

        std::this_thread::yield();
#else
        std::shared_lock guard(lock);
        (void)value;
#endif
    }
}

int main()
{
#ifdef BROKEN
    std::thread writer([] {
#else
    std::thread a(read);
    std::thread b([] {
#endif
        std::unique_lock guard(lock);
        value = 1;
    });
    read();
}
