// expect: verified
// broken: error kind=hang line=17 message="can never get past done"
// Main waits until both have counted down. With -DBROKEN: Main counts on one that does not count
// down.
#include <latch>
#include <thread>

int main()
{
#ifdef BROKEN
    std::latch done(3);
#else
    std::latch done(2);
#endif
    std::thread a([&] { done.count_down(); });
    std::thread b([&] { done.count_down(); });
    done.wait();
    a.join();
    b.join();
}
