// expect: verified
// broken: error kind=hang message="thread 1 can never lock thread 1's own"
// Each thread has a lock of its own, and takes it once. With -DBROKEN: One takes it twice.
#include <mutex>
#include <thread>

thread_local std::mutex own;

void work()
{
    std::lock_guard outer(own);
#ifdef BROKEN
    std::lock_guard inner(own);
#endif
}

int main()
{
    std::thread worker(work);
    worker.join();
}
