// expect: error kind=hang line=15 message="-kept-broken.cpp:13)"
// A shared timed mutex is kept forever, which is told of the line that locked it.
#include <atomic>
#include <shared_mutex>

std::shared_timed_mutex m;
std::atomic<bool> on;

int main()
{
    if (on)
        return 0;
    m.lock();
    for (;;)
        on = !on;
}
