// Figure 1 of "Local Nontermination Detection for Parallel C++ Programs" (Still and Barnat, 2019):
// the worker was meant to wait until x is set, but waits as long as it is.
// expect: error kind=hang line=22
#include <atomic>
#include <thread>

std::atomic<int> x = 0;

void do_work() {}

void worker()
{
    while (x != 0) {
    } // wait
    do_work();
}

int main()
{
    std::thread t(worker);
    x = 42; // let worker run
    t.join();
}
