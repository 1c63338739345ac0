// expect: verified
// by-hand: 2
// Where no order is written, the source is changed by hand.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready;
static int data;

int main()
{
    std::thread other([] {
        data = 1;
        ready++; // enough: release
    });
    while (ready == 0) // enough: acquire
        ;
    assert(data == 1);
    other.join();
}
