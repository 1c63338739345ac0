// expect: verified
// broken: error kind=hang line=24 message="can never finish joining"
// The thread looks whether it is to stop. With -DBROKEN: The thread does not look whether it is to
// stop, and the destructor of std::jthread waits for it.
#include <atomic>
#include <stop_token>
#include <thread>

#ifdef BROKEN
std::atomic<bool> idle = true;

#endif
int main()
{
#ifdef BROKEN
    std::jthread worker([](std::stop_token) {
        while (idle) {
#else
    std::jthread worker([](std::stop_token stop) {
        while (!stop.stop_requested()) {
#endif
        }
    });
}
