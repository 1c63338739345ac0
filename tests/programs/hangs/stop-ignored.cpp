// expect: verified
// broken: error kind=hang line=21
// clang: -fexperimental-library
// A request to stop ends the wait. With -DBROKEN: A request to stop does not end the wait, which
// does not know of it.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex guard;
std::condition_variable_any changed;
bool ready = false;

int main()
{
    std::jthread worker([](std::stop_token stop) {
        std::unique_lock lock(guard);
#ifdef BROKEN
        while (!stop.stop_requested() && !ready)
            changed.wait(lock);
#else
        changed.wait(lock, stop, [] { return ready; });
#endif
    });
}
