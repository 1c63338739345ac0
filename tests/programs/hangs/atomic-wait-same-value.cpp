// expect: verified
// broken: error kind=hang line=26 message="stage"
// A wait ends when another thread stores another value, and notifies. With -DBROKEN: The stored
// value is always the old one: the wait wakes up, and starts over.
#include <atomic>
#include <thread>

#ifdef BROKEN
#define STORED 0
#else
#define STORED 1
#endif

std::atomic<int> stage = 0;

int main()
{
    std::thread other([] {
        for (;;) {
            stage = STORED;
            stage.notify_all();
        }
    });
    other.detach();
    // std::atomic::wait returns only when the value has changed
    stage.wait(0);
}
