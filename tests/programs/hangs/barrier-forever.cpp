// expect: verified
// broken: error kind=hang line=30 message="the main thread can never get past meeting"
// Two threads meet again and again. The number of their meetings is no part of the state. With
// -DBROKEN: One of two threads that meet again and again does not come any more from the third
// meeting on.
#include <barrier>
#include <thread>

std::barrier meeting(2);

int main()
{
    std::thread other([] {
#ifdef BROKEN
        for (int round = 0;; round++) {
            if (round == 3)
                return;
#else
        for (;;)
#endif
            meeting.arrive_and_wait();
#ifdef BROKEN
        }
#endif
    });
#ifdef BROKEN
    other.detach();
#endif
    for (;;)
        meeting.arrive_and_wait();
}
