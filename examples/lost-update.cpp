// Every access is atomic, so nothing races; but what one thread adds between the load and the
// store of the other is lost.
// expect: error kind=assertion line=22
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter = 0;

void increment()
{
    int seen = counter.load();
    counter.store(seen + 1);
}

int main()
{
    std::thread a(increment), b(increment);
    a.join();
    b.join();
    // counter.fetch_add(1) in one step would make this true.
    assert(counter == 2);
}
