// expect: error kind=hang line=20 message="can never finish joining"
// A thread waits until some time for a condition that never comes, and then does so again.
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
        while (!changed.wait_for(lock, 1s, [] { return false; })) {
        }
    });
    waiter.join();
}
