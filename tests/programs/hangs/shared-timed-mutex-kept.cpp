// expect: verified
// broken: error kind=hang line=20 message="-kept.cpp:15)"
// A shared timed mutex is unlocked before the program goes on forever. With -DBROKEN: It is kept
// forever, and the report names the line that locked it.
#include <atomic>
#include <shared_mutex>

std::shared_timed_mutex m;
std::atomic<bool> on;

int main()
{
    if (on)
        return 0;
    m.lock();
#ifndef BROKEN
    m.unlock();
#endif
    for (;;)
        on = !on;
}
