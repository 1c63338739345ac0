// The spin lock of figure 6.3 of Still's thesis, with sections for the wait and for what is done
// with the lock held; here one of the ways out forgets to unlock. The program is meant to run
// forever. expect: error kind=hang
#include <atomic>
#include <rst/termsec.h> // the papers' names; <impasse/section.h> has our own
#include <thread>

struct SpinLock {
    void lock()
    {
        {
            termsec::CheckWait check(&flag);
            while (flag.test_and_set()) {
            }
        }
        termsec_begin_exclusive(&flag);
    }

    void unlock()
    {
        termsec_end_exclusive(&flag);
        flag.clear();
    }

private:
    std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

SpinLock lock;
int stock = 0;

void bring()
{
    for (;;) {
        lock.lock();
        stock = 1;
        lock.unlock();
    }
}

void sell()
{
    for (;;) {
        lock.lock();
        if (stock == 0)
            continue; // without unlock()
        stock = 0;
        lock.unlock();
    }
}

int main()
{
    std::thread other(bring);
    sell();
}
