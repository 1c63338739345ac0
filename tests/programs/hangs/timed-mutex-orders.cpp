// expect: verified
// broken: error kind=hang line=16 message="can never lock"
// Two threads take two timed locks in the same order, without a time. With -DBROKEN: They take them
// in opposite orders.
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
std::timed_mutex a, b;

void work(std::timed_mutex &first, std::timed_mutex &second)
{
    std::lock_guard lock(first);
    // both may come to here
    second.lock();
    second.unlock();
}

int main()
{
    std::thread other([] { work(a, b); });
#ifdef BROKEN
    work(b, a);
#else
    work(a, b);
#endif
    other.join();
}
