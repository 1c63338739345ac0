// expect: verified
// broken: error kind=hang line=27 message="changed"
// por-off: skip
// A std::condition_variable_any with a shared lock. With -DBROKEN: A std::condition_variable_any
// that is told of before the news.
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any changed;
bool ready;

int main()
{
    std::thread other([] {
#ifdef BROKEN
        changed.notify_all();
#endif
        std::unique_lock lock(m);
        ready = true;
#ifndef BROKEN
        changed.notify_all();
#endif
    });
    std::shared_lock lock(m);
    changed.wait(lock, [] { return ready; });
    lock.unlock();
    other.join();
}
