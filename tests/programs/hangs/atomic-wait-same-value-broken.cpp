// expect: error kind=hang line=19 message="stage"
// Those who wait are told again and again, but the value is always the old one: the wait wakes up,
// and starts over.
#include <atomic>
#include <thread>

std::atomic<int> stage = 0;

int main()
{
    std::thread other([] {
        for (;;) {
            stage = 0;
            stage.notify_all();
        }
    });
    // std::atomic::wait returns only when the value has changed

    stage.wait(0);
    other.join();
}
