// expect: verified
// broken: error kind=hang line=27 message="thread 1 can never unlock guard (locked at"
// A reader of a table that is looked up forever lets the writer in now and then. With -DBROKEN: No
// other thread wants the lock, and no thread is blocked: it is the reader's section that can never
// end, since no thread sets the flag that it waits for while it holds the lock.
#ifdef BROKEN
#include <atomic>
#else
#include <cstdlib>
#endif
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
#ifdef BROKEN
std::atomic<bool> refreshed = false;
#else
int entry = 0;
#endif

int main()
{
    std::thread reader([] {
        for (;;) {
            std::shared_lock lock(guard);
#ifdef BROKEN
            while (!refreshed) {
            }
#else
            if (entry < 0)
                std::abort();
#endif
        }
    });
#ifdef BROKEN
    reader.join();
#else
    reader.detach();
    for (;;) {
        std::unique_lock lock(guard);
        entry = !entry;
    }
#endif
}
