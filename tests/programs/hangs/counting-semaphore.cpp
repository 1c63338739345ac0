// expect: verified
// broken: error kind=hang line=19 message="can never take free_things"
// Each of two threads needs both things of a pool of two; only one thread at a time collects them.
// With -DBROKEN: Both threads may hold one thing and wait for the other one.
#include <mutex>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> free_things(2);
std::mutex collecting;

void collect()
{
#ifndef BROKEN
    std::lock_guard alone(collecting);
#endif
    free_things.acquire();
    // the other thread may have the other one
    free_things.acquire();
}

int main()
{
    std::thread thread([] {
        collect();
        free_things.release(2);
    });
    collect();
    free_things.release(2);
    thread.join();
}
