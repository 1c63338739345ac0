// expect: verified
// broken: error kind=hang line=17|23 message="can never finish joining"
// One thread joins another one, while main goes on forever. With -DBROKEN: Each of the two joins
// the other.
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
    second = std::thread([] {
        while (!ready) {
        }
#ifdef BROKEN
        first.join();
#endif
    });
    for (;;)
        ready = true;
}
