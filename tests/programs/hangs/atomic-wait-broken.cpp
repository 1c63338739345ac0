// expect: error kind=hang line=11|17 message="stage"
// The value is changed, but those who wait are not told.
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

    stage.wait(1);
    other.join();
}
