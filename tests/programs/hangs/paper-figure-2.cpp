// expect: error kind=hang line=12|14|15|21
// Figure 2 of Still and Barnat (2019): a critical section that never ends, and a thread that waits
// for it.
#include <mutex>
#include <thread>

std::mutex m;

void do_work() {}
void do_other_work() {}
void thread0() {
    std::unique_lock lock(m); // Error
    while (true) {
        do_work();
    }
} // unlock

void thread1() {
    while (true) {
        // waits forever once thread0 has the lock
        std::unique_lock lock(m);
        do_other_work();
    } // unlock
}

int main() {
    std::thread other(thread1);
    thread0();
}
