// expect: verified
// clang: -Wno-missing-template-arg-list-after-template-kw
// Two producers and a consumer share a queue of two elements.
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

int main()
{
    atomic_queue::AtomicQueue<int, 2> queue;
    std::thread a([&] { queue.push(1); });
    std::thread b([&] { queue.push(2); });
    int sum = queue.pop() + queue.pop();
    assert(sum == 3);
    a.join();
    b.join();
}
