// expect: error kind=hang line=11 message="can never lock m"
// An exception leaves a critical section that has no guard: the lock is kept.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex m;

void work(int n)
{
    m.lock();
    if (n > 0)
        throw std::runtime_error("");
    m.unlock();
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
