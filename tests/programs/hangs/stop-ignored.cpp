// expect: verified
// clang: -fexperimental-library
// A request to stop ends the wait.
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
        changed.wait(lock, stop, [] { return ready; });
    });
}
