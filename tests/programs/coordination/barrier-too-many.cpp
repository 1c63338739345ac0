// expect: verified
// broken: error kind=invalid-call line=19 message="arrives at meeting, which expects no more"
// One of two threads leaves a barrier, so that the other meets nobody. With -DBROKEN: Both leave
// it, and one comes back.
#include <barrier>
#include <thread>

std::barrier meeting(2);

int main()
{
    std::thread thread([] { meeting.arrive_and_drop(); });
#ifdef BROKEN
    meeting.arrive_and_drop();
#else
    meeting.arrive_and_wait();
#endif
    // No phase that expects none ends.
    meeting.arrive_and_wait();
    thread.join();
}
