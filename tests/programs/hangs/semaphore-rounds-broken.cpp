// expect: error kind=hang line=14|20 message="can never take"
// por-off: skip
// Two threads take turns by two semaphores, but nobody begins.
#include <semaphore>
#include <thread>

std::binary_semaphore ping(0), pong(0);
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
