// expect: verified
// flags: --sections=join,user
// por-off: skip
// Only some types of sections are checked; no thread joins the threads that deadlock here.
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
