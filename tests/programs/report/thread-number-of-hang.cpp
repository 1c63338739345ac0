// expect: error kind=hang message="thread 2 can never lock m"
// trace: starts thread 1
// trace: joins thread 1
// trace: starts thread 2
#include <mutex>
#include <thread>
std::mutex m;
void work() { std::lock_guard guard(m); }
int main()
{
    std::thread(work).join();
    m.lock();
    std::thread second(work);
    second.join();
}
