// expect: verified
// The thread looks whether it is to stop.
#include <stop_token>
#include <thread>

int main()
{
    std::jthread worker([](std::stop_token stop) {
        while (!stop.stop_requested()) {
        }
    });
}
