// expect: inconclusive reason="unless more time passes than the machine's clocks show"
// flags: --sections=join
// Each attempt ends a millisecond later, but the machine's clocks show only a few times, and three
// attempts use them up.
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    std::timed_mutex mutex;
    mutex.lock();
    std::thread other([&] {
        for (int i = 0; i < 3; i++)
            if (mutex.try_lock_for(1ms))
                mutex.unlock();
    });
    other.join();
    mutex.unlock();
}
