// expect: verified
// broken: error kind=hang message="thread 1 can never unlock m"
// A detached thread unlocks before it ends, while main goes on forever. With -DBROKEN: It ends
// with the lock, and main goes on forever without it.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex m;
std::atomic<int> lamp;

int main()
{
    std::thread([] {
        m.lock();
#ifndef BROKEN
        m.unlock();
#endif
    }).detach();
    for (;;)
        lamp = 1 - lamp;
}
