// expect: verified
// A producer and a consumer of one item.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

int main()
{
    moodycamel::ConcurrentQueue<int> queue;
    std::thread producer([&] { queue.enqueue(1); });
    int got;
    while (!queue.try_dequeue(got))
        ;
    assert(got == 1);
    producer.join();
}
