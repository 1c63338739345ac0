// expect: error kind=hang line=19 message="the main thread can never get past meeting"
// One of two threads that meet again and again does not come any more from the third meeting on.
#include <barrier>
#include <thread>

std::barrier meeting(2);

int main()
{
    std::thread other([] {
        for (int round = 0;; round++) {
            if (round == 3)
                return;
            meeting.arrive_and_wait();
        }
    });
    other.detach();
    for (;;)
        meeting.arrive_and_wait();
}
