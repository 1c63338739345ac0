// expect: verified
// broken: error kind=hang line=14 message="lock"
// flags: --sections=user
// The spin lock of figure 6.3 of Still's thesis, used by two threads. With -DBROKEN: The spin lock
// of figure 6.3 of Still's thesis, used by a thread that does not always give it up.
#include <atomic>
#include <rst/termsec.h>
#include <thread>

struct SpinLock {
    void lock() {
        { // define an explicit scope
            termsec::CheckWait check(&_flag);
            while (_flag.test_and_set()) {
            }
        } // end of scope -- end of 'check' resource section
        termsec_begin_exclusive(&_flag);
    }

    void unlock() {
        termsec_end_exclusive(&_flag);
        _flag.clear();
    }

private:
    std::atomic_flag _flag = ATOMIC_FLAG_INIT;
};

SpinLock lock;
int shared;

void worker() {
    for (;;) {
        lock.lock();
        shared = 1 - shared;
#ifdef BROKEN
        if (shared == 0)
            continue;
#endif
        lock.unlock();
    }
}

int main() {
    std::thread other(worker);
    worker();
}
