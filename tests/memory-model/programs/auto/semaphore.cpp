// expect: verified
// flags: --memory-model auto
// A waiting thread does not miss a notification by reading an older value.
#include <cassert>
#include <semaphore>
#include <thread>

int main()
{
    std::binary_semaphore full(0);
    int value = 0;
    std::thread producer([&] {
        value = 42;
        full.release();
    });
    full.acquire();
    assert(value == 42);
    producer.join();
}
