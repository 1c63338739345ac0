// expect: error kind=hang message="thread 1 can never lock thread 1's own"
// Each thread has a lock of its own, and one takes it twice.
#include <mutex>
#include <thread>

thread_local std::mutex own;

void work()
{
    std::lock_guard outer(own);
    std::lock_guard inner(own);
}

int main()
{
    std::thread worker(work);
    worker.join();
}
