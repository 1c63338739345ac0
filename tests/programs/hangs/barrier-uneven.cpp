// expect: verified
// por-off: skip
// Two threads meet twice at a std::barrier; the one that leaves earlier drops out.
#include <barrier>
#include <thread>

std::barrier both(2);

int main()
{
    std::thread other([] {
        both.arrive_and_wait();
        both.arrive_and_drop();
    });
    both.arrive_and_wait();
    both.arrive_and_wait();
    both.arrive_and_wait();
    other.join();
}
