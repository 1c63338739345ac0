// expect: verified
// An exception leaves a critical section by a guard, again and again.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex m;

void work(int n)
{
    std::lock_guard lock(m);
    if (n > 0)
        throw std::runtime_error("");
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
