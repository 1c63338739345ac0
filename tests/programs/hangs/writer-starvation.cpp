// expect: verified
// Two readers may hold the lock by turns so that the writer never gets it; but it always could. Starving is not hanging.
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int value;

void read()
{
    for (;;) {
        std::shared_lock guard(lock);
        (void)value;
    }
}

int main()
{
    std::thread a(read);
    std::thread b([] {
        std::unique_lock guard(lock);
        value = 1;
    });
    read();
}
