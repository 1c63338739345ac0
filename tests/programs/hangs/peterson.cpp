// expect: verified
// Peterson's algorithm for two threads, forever.
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
    while (wants[1 - me] && turn == 1 - me) {
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
