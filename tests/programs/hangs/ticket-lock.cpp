// expect: verified
// broken: error kind=hang line=17 message="can never finish its wait for ticket_lock.serving_"
// A ticket lock with the numbers kept small, used forever. With -DBROKEN: The numbers of a ticket
// lock wrap around at different places.
#include <atomic>
#include <impasse/section.h>
#include <thread>

class TicketLock {
public:
    void lock()
    {
        int ticket = next_;
        while (!next_.compare_exchange_weak(ticket, (ticket + 1) % 4)) {
        }
        impasse::wait wait(&serving_);
        while (serving_ != ticket) {
        }
    }
#ifdef BROKEN
    void unlock() { serving_ = (serving_ + 1) % 3; }
#else
    void unlock() { serving_ = (serving_ + 1) % 4; }
#endif

private:
    std::atomic<int> next_ = 0, serving_ = 0;
};

TicketLock ticket_lock;
int shared;

void work()
{
    for (;;) {
        ticket_lock.lock();
        shared = 1 - shared;
        ticket_lock.unlock();
    }
}

int main()
{
    std::thread other(work);
    work();
}
