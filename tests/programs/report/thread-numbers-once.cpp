// expect: error kind=assertion line=21
// trace: starts thread 1
// trace: joins thread 1
// trace: starts thread 2
// trace: starts thread 3
// trace: joins thread 2
// trace: joins thread 3
// A new thread has another name in the report than one that has been joined.
#include <cassert>
#include <thread>
int n;
void work() { n++; }
int main()
{
    std::thread(work).join();
    std::thread first(work);
    int seen = 0;
    std::thread second([&seen] { seen = 1; });
    first.join();
    second.join();
    assert(n + seen != 3);
}
