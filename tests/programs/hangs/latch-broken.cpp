// expect: error kind=hang line=12 message="can never get past done"
// por-off: skip
// Main counts on one that does not count down.
#include <latch>
#include <thread>

int main()
{
    std::latch done(3);
    std::thread a([&] { done.count_down(); });
    std::thread b([&] { done.count_down(); });
    done.wait();
    a.join();
    b.join();
}
