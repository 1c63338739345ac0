// Peterson's lock for two threads that take it forever: mutual exclusion.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
std::atomic<int> inside;

void run(int me) {
    for (;;) {
        wants[me] = true;
        turn = 1 - me;
        while (wants[1 - me] && turn == 1 - me) {
        }
        int before = inside++;
        assert(before == 0);
        inside--;
        wants[me] = false;
    }
}

int main() {
    std::thread other(run, 1);
    run(0);
    other.join();
}
