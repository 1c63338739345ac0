// expect: verified
// broken: error kind=hang line=14 message="can never lock m"
// An exception leaves a critical section by a guard, again and again. With -DBROKEN: An exception
// leaves a critical section that has no guard: the lock is kept.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex m;

void work(int n)
{
#ifdef BROKEN
    m.lock();
#else
    std::lock_guard lock(m);
#endif
    if (n > 0)
        throw std::runtime_error("");
#ifdef BROKEN
    m.unlock();
#endif
}

int main()
{
    std::thread other([] { work(0); });
    try {
        work(1);
    } catch (const std::runtime_error &) {
    }
    work(0);
    other.join();
}
