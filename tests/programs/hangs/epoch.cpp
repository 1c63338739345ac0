// expect: verified
// broken: error kind=hang line=18 message="can never return from wait_for_readers"
// Reclaiming by epochs: a writer waits until no reader is left that began before. With -DBROKEN:
// Reclaiming by epochs: a writer waits until no reader is left that began before; one that fails
// does not say that it reads no more.
#include <atomic>
#include <impasse/section.h>
#include <thread>

std::atomic<int> epoch = 1;
std::atomic<int> reading = 0; // the epoch in which the reader began; 0 if it does not read

void wait_for_readers()
{
    IMPASSE_MUST_RETURN;
    int next = 3 - epoch;
    epoch = next;
    for (int seen = reading; seen != 0 && seen != next; seen = reading) {
    }
}

int main()
{
    std::thread reader([] {
        for (;;) {
            reading = epoch.load();
#ifdef BROKEN
            if (epoch == 2)
                return; // should say reading = 0
#endif
            reading = 0;
        }
    });
    for (;;)
        wait_for_readers();
}
