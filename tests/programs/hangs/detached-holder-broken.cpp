// expect: error kind=hang message="thread 1 can never unlock m"
// A detached thread ends with a lock; main goes on forever without it.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex m;
std::atomic<int> lamp;

int main()
{
    std::thread([] { m.lock(); }).detach();
    for (;;)
        lamp = 1 - lamp;
}
