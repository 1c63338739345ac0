// expect: error kind=assertion
// C++ lets try_lock fail although no thread holds the mutex.
#include <cassert>
#include <mutex>

int main() {
    std::mutex mutex;
    bool locked = mutex.try_lock();
    if (locked)
        mutex.unlock();
    assert(locked);
}
