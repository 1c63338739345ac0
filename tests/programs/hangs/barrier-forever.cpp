// expect: verified
// por-off: skip
// Two threads meet again and again. The number of their meetings is no part of the state.
#include <barrier>
#include <thread>

std::barrier meeting(2);

int main()
{
    std::thread other([] {
        for (;;)
            meeting.arrive_and_wait();
    });
    for (;;)
        meeting.arrive_and_wait();
}
