// expect: error kind=assertion
#include <cassert>
#include <mutex>

int main() {
    std::timed_mutex mutex;
    bool locked = mutex.try_lock();
    if (locked)
        mutex.unlock();
    assert(locked);
}
