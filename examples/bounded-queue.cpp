// A bounded queue with two condition variables, a producer and two consumers: correct.
// Nothing gets lost, nothing is delivered twice, and no thread waits forever.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Queue {
    static constexpr int capacity = 1;
    std::mutex mutex;
    std::condition_variable not_empty, not_full;
    int items[capacity] = {};
    int first = 0, count = 0;

public:
    void push(int item)
    {
        std::unique_lock lock(mutex);
        not_full.wait(lock, [this] { return count < capacity; });
        items[(first + count++) % capacity] = item;
        not_empty.notify_one();
    }

    int pop()
    {
        std::unique_lock lock(mutex);
        not_empty.wait(lock, [this] { return count > 0; });
        int item = items[first];
        first = (first + 1) % capacity;
        count--;
        not_full.notify_one();
        return item;
    }
};

int main()
{
    Queue queue;
    int left = 0, right = 0;
    std::thread a([&] { left = queue.pop(); });
    std::thread b([&] { right = queue.pop(); });
    queue.push(1);
    queue.push(2);
    a.join();
    b.join();
    assert(left + right == 3 && left != right);
}
