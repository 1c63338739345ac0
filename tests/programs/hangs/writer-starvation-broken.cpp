// expect: error kind=hang line=14|21 message="lock lock"
// The reader never lets go of the lock: the writer does not starve, it hangs.
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int value;

void read()
{
    std::shared_lock guard(lock);
    for (;;) {

        std::this_thread::yield();
    }
}

int main()
{
    std::thread writer([] {
        std::unique_lock guard(lock);
        value = 1;
    });
    read();
}
