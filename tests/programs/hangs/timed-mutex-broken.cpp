// expect: error kind=hang line=13|14 message="can never lock"
// Two threads take two timed locks in opposite orders, without a time.
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
    work(b, a);
    other.join();
}
