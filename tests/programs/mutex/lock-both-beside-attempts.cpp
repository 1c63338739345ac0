// expect: error kind=assertion
// flags: --spurious-failures off
// Before std::lock holds both mutexes it may hold one, so that another thread cannot lock it:
// without spurious failures, that is found by following the attempts.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;

int main()
{
    second.lock();
    std::thread thread([] {
        std::lock(first, second);
        first.unlock();
        second.unlock();
    });
    assert(first.try_lock());
    first.unlock();
    second.unlock();
    thread.join();
}
