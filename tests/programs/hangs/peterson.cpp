// expect: verified
// broken: error kind=hang line=18 message="can never return from enter"
// Peterson's algorithm for two threads, forever. With -DBROKEN: Peterson's algorithm without
// the turn: both wait for the other.
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
#ifdef BROKEN
    while (wants[1 - me]) {
#else
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me) {
#endif
    }
}

void leave(int me) { wants[me] = false; }

void work(int me)
{
    for (;;) {
        enter(me);
        shared = me;
        leave(me);
    }
}

int main()
{
    std::thread other(work, 1);
    work(0);
}
