// expect: error kind=hang line=19 message="can never be woken from its wait for changed"
// The signal is lost, while another thread goes on forever: no deadlock, but a hang.
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
