// expect: verified
// The value is changed, and then those who wait are told.
#include <atomic>
#include <thread>

std::atomic<int> stage = 0;

int main()
{
    std::thread other([] {
        stage.wait(0);
        stage = 2;
        stage.notify_one();
    });
    stage = 1;
    stage.notify_one();
    stage.wait(1);
    other.join();
}
