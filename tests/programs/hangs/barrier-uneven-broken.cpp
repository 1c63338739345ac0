// expect: error kind=hang line=15 message="can never get past both"
// por-off: skip
// One thread meets the other once less than the other expects.
#include <barrier>
#include <thread>

std::barrier both(2);

int main()
{
    std::thread other([] {
        both.arrive_and_wait();
    });
    both.arrive_and_wait();
    both.arrive_and_wait();
    both.arrive_and_wait();
    other.join();
}
