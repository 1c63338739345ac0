// expect: verified
// broken: error kind=hang message="can never be woken"
// Shutting down in two phases: main waits until all is done, and then tells the workers to stop.
// They wait for the same condition variable, so the thread that did the last job must wake all.
// With -DBROKEN: It wakes one, which may be the other worker in place of main.
#include <condition_variable>
#include <mutex>
#include <thread>

#ifdef BROKEN
#define TELL notify_one
#else
#define TELL notify_all
#endif

std::mutex mutex;
std::condition_variable changed;
int jobs;
bool stopped;

void work()
{
    std::unique_lock guard(mutex);
    for (;;) {
        changed.wait(guard, [] { return jobs > 0 || stopped; });
        if (jobs == 0)
            return;
        if (--jobs == 0)
            changed.TELL();
    }
}

int main()
{
    std::thread one(work), other(work);
    {
        std::unique_lock guard(mutex);
        jobs = 1;
        changed.notify_one();
        changed.wait(guard, [] { return jobs == 0; });
        stopped = true;
    }
    changed.notify_all();
    one.join();
    other.join();
}
