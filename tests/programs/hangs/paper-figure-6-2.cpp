// expect: verified
// Figure 6.2 of Still's thesis: the built-in sections of a lock, a critical section and a join.
#include <mutex>
#include <thread>

std::mutex m;

void do_work() {}

void worker() {
    std::unique_lock lock(m); // wait, then a critical section
    do_work();
} // unlock

int main() {
    std::thread w(worker);
    do_work();
    w.join(); // wait
}
