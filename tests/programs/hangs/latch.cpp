// expect: verified
// por-off: skip
// Main waits until both have counted down.
#include <latch>
#include <thread>

int main()
{
    std::latch done(2);
    std::thread a([&] { done.count_down(); });
    std::thread b([&] { done.count_down(); });
    done.wait();
    a.join();
    b.join();
}
