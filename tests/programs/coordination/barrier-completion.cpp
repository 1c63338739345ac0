// expect: verified
// broken: error kind=assertion line=23
// The completion of a phase sees what was done before each arrival; who waits for the phase sees
// what the completion did. With -DBROKEN: One thread arrives, but does not wait.
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

int parts[2], sum;

int main()
{
    std::barrier both(2, []() noexcept { sum += parts[0] + parts[1]; });
    auto work = [&](int thread) {
        for (int phase = 1; phase <= 2; phase++) {
            parts[thread] = phase;
            auto token = both.arrive();
#ifdef BROKEN
            if (thread == 1)
#endif
                both.wait(std::move(token));
            assert(sum == (phase == 1 ? 2 : 6));
        }
    };
    std::thread thread(work, 1);
    work(0);
    thread.join();
}
