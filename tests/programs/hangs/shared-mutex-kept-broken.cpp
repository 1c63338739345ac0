// expect: error kind=hang line=16 message="thread 1 can never unlock guard (locked at"
// Nobody else wants the lock, and no thread is blocked: it is the reader's section that can never
// end, since nobody sets the flag that it waits for while it holds the lock.
#include <atomic>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
std::atomic<bool> refreshed = false;

int main()
{
    std::thread reader([] {
        for (;;) {
            std::shared_lock lock(guard);
            while (!refreshed) {
            }
        }
    });
    reader.join();
}
