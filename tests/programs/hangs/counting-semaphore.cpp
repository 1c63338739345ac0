// expect: verified
// por-off: skip
// Each of two threads needs both things of a pool of two; only one thread at a time collects them.
#include <mutex>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> free_things(2);
std::mutex collecting;

void collect()
{
    std::lock_guard alone(collecting);
    free_things.acquire();
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
