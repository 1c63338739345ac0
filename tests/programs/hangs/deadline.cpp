// expect: verified
// broken: error kind=hang line=27 message="can never finish joining"
// A thread waits for a condition that never comes, but until some time only; another one sleeps
// until then. With -DBROKEN: A thread waits until some time for a condition that never comes, and
// then does so again.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex m;
std::condition_variable changed;

int main()
{
    std::thread waiter([] {
        std::unique_lock lock(m);
#ifdef BROKEN
        while (!changed.wait_for(lock, 1s, [] { return false; })) {
        }
#else
        changed.wait_for(lock, 1s, [] { return false; });
#endif
    });
    waiter.join();
#ifndef BROKEN
    auto end = std::chrono::steady_clock::now() + 1h;
    while (std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(1s);
#endif
}
