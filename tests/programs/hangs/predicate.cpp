// expect: verified
// The condition of the wait is what the other thread makes true.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
int items;

int main()
{
    std::thread producer([] {
        for (int i = 0; i < 2; i++) {
            std::lock_guard lock(m);
            items++;
            changed.notify_one();
        }
    });
    std::unique_lock lock(m);
    changed.wait(lock, [] { return items >= 2; });
    lock.unlock();
    producer.join();
}
