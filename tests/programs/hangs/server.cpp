// expect: verified
// A server that runs forever. Each request is handled to its end, whatever is asked for.
#include <condition_variable>
#include <impasse.h>
#include <impasse/section.h>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable arrived;
int request = -1;
int entries = 0;

void handle(int what)
{
    IMPASSE_MUST_RETURN;
    if (what == 0)
        entries = 1;
    else if (entries > 0)
        entries = 0;
}

int main()
{
    std::thread client([] {
        for (;;) {
            std::lock_guard lock(m);
            if (request < 0)
                request = impasse_choose(2);
            arrived.notify_one();
        }
    });
    for (;;) {
        std::unique_lock lock(m);
        arrived.wait(lock, [] { return request >= 0; });
        handle(request);
        request = -1;
    }
}
