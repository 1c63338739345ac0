// expect: verified
// Two wait for one event.
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
    opened.notify_all();
    a.join();
    b.join();
}
