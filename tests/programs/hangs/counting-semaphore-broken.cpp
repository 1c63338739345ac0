// expect: error kind=hang line=14|21 message="can never take free_things"
// Each of two threads needs both things of a pool of two, and takes them one by one.
#include <semaphore>
#include <thread>
#include <vector>

std::counting_semaphore<2> free_things(2);

int main()
{
    std::thread thread([] {
        free_things.acquire();
        // main may have the other one
        free_things.acquire();
        free_things.release();
        free_things.release();
    });
    free_things.acquire();

    // and wait here
    free_things.acquire();
    free_things.release(2);
    thread.join();
}
