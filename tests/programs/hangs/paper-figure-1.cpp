// expect: verified
// broken: error kind=hang line=25 message="the main thread can never finish joining"
// Figure 1 of Still and Barnat (2019) with the condition as it was meant. With -DBROKEN: Figure 1
// of Still and Barnat (2019): the condition of the loop is the opposite of what was meant.
#include <atomic>
#include <thread>

std::atomic<int> x = 0;

void do_work() {}

void worker() {
#ifdef BROKEN
    while (x != 0) {
#else
    while (x == 0) {
#endif
    } // wait
    do_work();
}

int main() {
    std::thread t(worker);
    x = 42; // let worker run
    t.join();
}
