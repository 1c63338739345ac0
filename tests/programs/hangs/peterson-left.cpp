// expect: error kind=hang line=17 message="can never return from enter"
// Peterson's algorithm, by a thread that forgets to say that it has left, and goes away.
#include <atomic>
#include <impasse/section.h>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int shared;

void enter(int me)
{
    IMPASSE_MUST_RETURN;
    wants[me] = true;
    turn = 1 - me;
    // turn will not change any more
    while (wants[1 - me] && turn == 1 - me) {
    }
}

void leave(int me) { wants[me] = false; }

int main()
{
    std::thread other([] {
        enter(1);
        shared = 1;
    });
    for (;;) {
        enter(0);
        shared = 0;
        leave(0);
    }
}
