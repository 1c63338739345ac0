// Peterson's filter lock for N threads that take it forever: mutual exclusion.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef N
#define N 3
#endif

std::atomic<int> level[N];
std::atomic<int> last[N];
std::atomic<int> inside;

bool must_wait(int me, int l) {
    for (int other = 0; other < N; other++)
        if (other != me && level[other] >= l)
            return last[l] == me;
    return false;
}

void run(int me) {
    for (;;) {
        for (int l = 1; l < N; l++) {
            level[me] = l;
            last[l] = me;
            while (must_wait(me, l)) {
            }
        }
        int before = inside++;
        assert(before == 0);
        inside--;
        level[me] = 0;
    }
}

int main() {
    std::thread others[N - 1];
    for (int i = 1; i < N; i++)
        others[i - 1] = std::thread(run, i);
    run(0);
    for (auto &thread : others)
        thread.join();
}
