// expect: verified
// broken: error kind=data-race message="value"
// broken-flags: --memory-model auto
// A release hands over what its thread wrote. With -DBROKEN: An acquisition hands over nothing to a
// later one.
#include <cassert>
#include <semaphore>
#include <thread>

#ifdef BROKEN
std::counting_semaphore<2> units(2);
#else
std::counting_semaphore<2> units(0);
#endif
int value;

int main()
{
    std::thread thread([] {
        value = 1;
#ifdef BROKEN
        units.acquire();
#else
        units.release(2);
#endif
    });
    units.acquire();
    if (!units.try_acquire())
        units.release(0);
    else
        value++;
    thread.join();
}
