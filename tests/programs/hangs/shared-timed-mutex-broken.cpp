// expect: error kind=hang line=15|27 message="m"
// flags: --sections=rwlock
// One of the ways out does not leave the mutex.
#include <chrono>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::shared_timed_mutex m;
int value;

void write()
{
    m.lock();
    value = !value;
    m.unlock();
    if (m.try_lock_for(1ms)) {
        value = !value;
        if (value)
            m.unlock();
    }
}

void read()
{
    m.lock_shared();
    bool is_set = value;
    m.unlock_shared();
    if (is_set && m.try_lock_shared_for(1ms))
        m.unlock_shared();
}

int main()
{
    std::thread reader([] {
        for (;;)
            read();
    });
    for (;;)
        write();
}
