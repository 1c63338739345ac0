// expect: verified
// libc++ lets what is left of a sleep be written over its length; a sleep that is over writes nothing there.
#include <cassert>
#include <chrono>
#include <thread>
#include <time.h>

using namespace std::chrono;

int main()
{
    auto start = steady_clock::now();
    std::this_thread::sleep_for(milliseconds(2));
    assert(steady_clock::now() - start >= milliseconds(2));

    timespec second{1, 0}, left{7, 7};
    auto before = steady_clock::now();
    assert(nanosleep(&second, &left) == 0);
    assert(left.tv_sec == 7 && left.tv_nsec == 7);
    assert(steady_clock::now() - before >= seconds(1));
}
