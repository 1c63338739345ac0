// expect: error kind=hang line=15 message="can never finish joining"
// The thread does not look whether it is to stop, and the destructor of std::jthread waits for it.
#include <atomic>
#include <stop_token>
#include <thread>

std::atomic<bool> idle = true;

int main()
{
    std::jthread worker([](std::stop_token) {
        while (idle) {
        }
    });
}
