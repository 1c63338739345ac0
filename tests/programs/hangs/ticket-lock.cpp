// expect: verified
// A ticket lock with the numbers kept small, used forever.
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
    void unlock() { serving_ = (serving_ + 1) % 4; }

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
