// expect: verified
// broken: error kind=hang line=14|26
// Figure 6.2 of Still's thesis: the built-in sections of a lock, a critical section and a join.
// With -DBROKEN: Figure 6.2 of Still's thesis, where main does its work with the lock held, and
// joins before it gives it up.
#include <mutex>
#include <thread>

std::mutex m;

void do_work() {}

void worker() {
    std::unique_lock lock(m); // wait, then a critical section
    do_work();
} // unlock

int main() {
#ifdef BROKEN
    std::unique_lock lock(m);
#endif
    std::thread w(worker);
#ifndef BROKEN
    do_work();
#endif
    w.join(); // wait
}
