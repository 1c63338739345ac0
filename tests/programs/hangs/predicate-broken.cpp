// expect: error kind=hang line=21 message="changed"
// The condition of the wait can not become true.
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
    changed.wait(lock, [] { return items > 2; });
    lock.unlock();
    producer.join();
}
