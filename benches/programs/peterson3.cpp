// Peterson's filter lock for three threads that take it for ever: mutual exclusion.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int N = 3;
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
    std::thread a(run, 1), b(run, 2);
    run(0);
    a.join();
    b.join();
}
