// expect: error kind=hang line=11|18
// Figure 6.2 of Still's thesis, where main does its work with the lock held, and joins before it gives it up.
#include <mutex>
#include <thread>

std::mutex m;

void do_work() {}

void worker() {
    std::unique_lock lock(m); // wait, then a critical section
    do_work();
} // unlock

int main() {
    std::unique_lock lock(m);
    std::thread w(worker);
    w.join(); // wait
}
