// expect: verified
// libc++ lets what is left of a sleep be written over its length.
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

    timespec second{1, 0};
    auto before = steady_clock::now();
    assert(nanosleep(&second, &second) == 0);
    assert(second.tv_sec == 0 && second.tv_nsec == 0);
    assert(steady_clock::now() - before >= seconds(1));
}
