// expect: verified
// broken: error kind=hang line=19 message="can never get past both"
// Two threads meet twice at a std::barrier; the one that leaves earlier drops out. With -DBROKEN:
// One thread meets the other once less than the other expects.
#include <barrier>
#include <thread>

std::barrier both(2);

int main()
{
    std::thread other([] {
        both.arrive_and_wait();
#ifndef BROKEN
        both.arrive_and_drop();
#endif
    });
    both.arrive_and_wait();
    both.arrive_and_wait();
    both.arrive_and_wait();
    other.join();
}
