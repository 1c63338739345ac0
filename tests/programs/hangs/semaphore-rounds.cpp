// expect: verified
// broken: error kind=hang line=19|25 message="can never take"
// Two threads take turns by two semaphores, forever. With -DBROKEN: Two threads take turns by two
// semaphores, but no thread begins.
#include <semaphore>
#include <thread>

#ifdef BROKEN
std::binary_semaphore ping(0), pong(0);
#else
std::binary_semaphore ping(1), pong(0);
#endif
int ball;

int main()
{
    std::thread other([] {
        for (;;) {
            pong.acquire();
            ball = 1;
            ping.release();
        }
    });
    for (;;) {
        ping.acquire();
        ball = 0;
        pong.release();
    }
}
