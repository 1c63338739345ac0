// expect: verified
// broken: error kind=hang line=13|23 message="stage"
// The value is changed, and then those who wait are told. With -DBROKEN: The value is changed, but
// those who wait are not told.
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
#ifdef BROKEN

#else
    stage.notify_one();
#endif
    stage.wait(1);
    other.join();
}
