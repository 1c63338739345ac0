// Two threads increment a counter under a mutex: correct.
// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter = 0;

void increment()
{
    for (int i = 0; i < 2; i++) {
        std::lock_guard lock(mutex);
        counter++;
    }
}

int main()
{
    std::thread a(increment), b(increment);
    a.join();
    b.join();
    assert(counter == 4);
}
