// expect: verified
// Nothing is ever released, but the wait has an end in time.
#include <chrono>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

std::binary_semaphore never(0);

int main()
{
    std::thread waiter([] { (void)never.try_acquire_for(1s); });
    waiter.join();
}
