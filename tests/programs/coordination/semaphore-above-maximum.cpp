// expect: verified
// broken: error kind=invalid-call line=22 message="releases units, which is 2, by 1: its maximum is 2"
// Two threads give back what they took. With -DBROKEN: One gives back what it did not take.
#include <semaphore>
#include <thread>

std::counting_semaphore<2> units(2);

void use()
{
    units.acquire();
    units.release();
}

int main()
{
    std::thread thread(use);
    use();
#ifdef BROKEN
    thread.join();
    // Where the maximum is 2, that is undefined.
    units.release();
#else
    thread.join();
#endif
}
