// expect: verified
// Figure 3 of Still and Barnat (2019): each thread may starve, but each critical section can end.
// The program never does.
#include <mutex>
#include <thread>

std::mutex m;

void do_work() {}
void do_other_work() {}

void thread0() {
    while (true) {
        std::unique_lock lock(m); // Fixed
        do_work();
    } // unlock
}

void thread1() {
    while (true) {
        std::unique_lock lock(m);
        do_other_work();
    } // unlock
}

int main() {
    std::thread other(thread1);
    thread0();
}
