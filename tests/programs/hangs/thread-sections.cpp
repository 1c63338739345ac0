// expect: error kind=hang
// flags: --sections=thread
// A started thread is a section itself if that is asked for: it is to end, but does not.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool ready;

int main()
{
    std::thread clock([] {
        for (int ticks = 0;; ticks = 1 - ticks)
            std::this_thread::yield();
    });
    std::thread waiter([] {
        std::unique_lock lock(m);
        changed.wait(lock);
    });
    clock.detach();
    changed.notify_one();
    waiter.join();
}
