// Peterson's lock for two threads, over sequentially consistent atomics: correct. The counter
// that it guards is not atomic, so that a failure of the lock would be a data race.
// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> last;
int counter = 0;

void enter(int me)
{
    wants[me] = true;
    last = me;
    while (wants[1 - me] && last == me)
        ;
}

void leave(int me)
{
    wants[me] = false;
}

void work(int me)
{
    for (int i = 0; i < 2; i++) {
        enter(me);
        counter++;
        leave(me);
    }
}

int main()
{
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
    assert(counter == 4);
}
