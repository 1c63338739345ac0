// expect: verified
// broken: error kind=hang line=24 message="changed"
// The condition of the wait is what the other thread makes true. With -DBROKEN: The condition of
// the wait can not become true.
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
#ifdef BROKEN
    changed.wait(lock, [] { return items > 2; });
#else
    changed.wait(lock, [] { return items >= 2; });
#endif
    lock.unlock();
    producer.join();
}
