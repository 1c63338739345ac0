// expect: verified
// broken: error kind=hang line=23|24|25|36|37 message="can never"
// A server that runs forever. Each request is handled to its end, whatever is asked for. With
// -DBROKEN: A server that runs forever. To take from what is empty waits for an entry that no other
// request can bring, since the lock is held.
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
#ifdef BROKEN
    else
        while (entries == 0)
            std::this_thread::yield();
#else
    else if (entries > 0)
        entries = 0;
#endif
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
