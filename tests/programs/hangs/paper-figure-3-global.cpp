// expect: error kind=hang message="the program can never end"
// Figure 3 of Still and Barnat (2019) as a program that should end.
// flags: --hangs=global
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
