// expect: verified
// most-states: 20
// Three threads call a function once: the call is one step for those who come later.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::once_flag flag;
int calls;

int main()
{
    std::vector<std::thread> threads;
    for (int n = 0; n < 3; n++)
        threads.emplace_back([] {
            std::call_once(flag, [] { calls++; });
            assert(calls == 1);
        });
    for (auto &thread : threads)
        thread.join();
}
