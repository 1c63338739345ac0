// expect: verified
// por-off: skip
// Two threads take turns by two semaphores, forever.
#include <semaphore>
#include <thread>

std::binary_semaphore ping(1), pong(0);
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
