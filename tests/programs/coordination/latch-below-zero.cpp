// expect: verified
// broken: error kind=invalid-call line=18 message="counts done, which is 0, down by 1"
// Each of two threads counts a latch down. With -DBROKEN: It expects one only.
#include <latch>
#include <thread>

#ifdef BROKEN
std::latch done(1);
#else
std::latch done(2);
#endif
int results[2];

void work(int thread)
{
    results[thread] = thread;
    // Below zero, that is undefined.
    done.count_down();
}

int main()
{
    std::thread threads[] = {std::thread(work, 0), std::thread(work, 1)};
    done.wait();
#ifndef BROKEN
    results[0] += results[1];
#endif
    for (auto &thread : threads)
        thread.join();
}
