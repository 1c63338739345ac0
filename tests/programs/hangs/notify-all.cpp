// expect: verified
// broken: error kind=hang line=15 message="opened"
// Two wait for one event. With -DBROKEN: Two wait for one event, but only one is notified.
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
#ifdef BROKEN
    opened.notify_one();
#else
    opened.notify_all();
#endif
    a.join();
    b.join();
}
