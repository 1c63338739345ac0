// expect: error kind=hang line=16|18 message="can never finish joining"
// Two threads join each other.
#include <atomic>
#include <thread>

std::thread first, second;
std::atomic<bool> ready;

int main()
{
    first = std::thread([] {
        while (!ready) {
        }
        // no thread is left to end first

        second.join();
    });
    second = std::thread([] {   while (!ready) {} first.join(); });
    ready = true;
    for (;;)
        std::this_thread::yield();
}
