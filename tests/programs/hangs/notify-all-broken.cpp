// expect: error kind=hang line=14 message="opened"
// Two wait for one event, but only one is told.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable opened;
bool open;

void pass()
{
    std::unique_lock lock(m);
    opened.wait(lock, [] { return open; });
}

int main()
{
    std::thread a(pass), b(pass);
    {
        std::lock_guard lock(m);
        open = true;
    }
    opened.notify_one();
    a.join();
    b.join();
}
