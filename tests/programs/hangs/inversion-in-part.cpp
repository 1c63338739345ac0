// expect: error kind=hang line=23|25|30|32
// Two threads deadlock while main goes on forever: the program as a whole does not stop.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex a, b;
std::atomic<bool> on;

void blink()
{
    for (;;)
        on = !on;
}

int main()
{
    std::thread first([] {
        std::lock_guard guard(a);
        {
            // the other way round in `second`

            std::lock_guard inner(b);
        }
    });
    std::thread second([] {
        std::lock_guard guard(b);
        {

            std::lock_guard inner(a);
        }
    });
    blink();
}
