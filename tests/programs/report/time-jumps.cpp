// expect: error kind=abort line=9
// trace: time passes: the clock showed 0 s and shows
#include <chrono>
#include <cstdlib>
int main()
{
    auto start = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1))
        std::abort();
}
