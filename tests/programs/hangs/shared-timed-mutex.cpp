// expect: verified
// broken: error kind=hang line=23|35 message="m"
// broken-flags: --sections=rwlock
// Readers and writers that wait for a shared timed mutex in all ways, and leave it: the program
// runs forever by design. With -DBROKEN: One of the ways out does not leave the mutex.
#include <chrono>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

#ifdef BROKEN
#define IS_LEFT value
#else
#define IS_LEFT true
#endif

std::shared_timed_mutex m;
int value;

void write()
{
    m.lock();
    value = !value;
    m.unlock();
    if (m.try_lock_for(1ms)) {
        value = !value;
        if (IS_LEFT)
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
