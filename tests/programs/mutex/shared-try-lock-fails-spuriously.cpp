// expect: error kind=assertion
#include <cassert>
#include <shared_mutex>

int main() {
    std::shared_mutex mutex;
    bool locked = mutex.try_lock_shared();
    if (locked)
        mutex.unlock_shared();
    assert(locked);
}
