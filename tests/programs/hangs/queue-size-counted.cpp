// expect: verified
// broken: error kind=hang line=15|40|41 message="can never return from Queue::pop"
// A queue that a writer keeps short by the number of elements. With -DBROKEN: The kind of error
// that the papers found in a test of a queue: the number of elements, kept for a writer that wants
// the queue to stay short, is not counted by one atomic operation. Then it may stay too high, the
// writer waits forever, and so does the reader.
#include <atomic>
#include <impasse/section.h>
#include <thread>

std::atomic<int> size = 0;

class Queue {
public:
    bool is_empty() { return head_ == tail_; }
    void push()
    {
        tail_ = (tail_ + 1) % 3;
#ifdef BROKEN
        size = size + 1; // should be size++
#else
        size++;
#endif
    }
    void pop()
    {
        IMPASSE_MUST_RETURN;
        wait();
        head_ = (head_ + 1) % 3;
#ifdef BROKEN
        size = size - 1; // should be size--
#else
        size--;
#endif
    }

private:
    void wait()
    {
        while (is_empty()) {
        }
    }
    std::atomic<int> head_ = 0, tail_ = 0;
};

Queue queue;

int main()
{
    std::thread reader([] {
        for (;;)
            queue.pop();
    });
    for (;;)
        if (size < 1)
            queue.push();
}
