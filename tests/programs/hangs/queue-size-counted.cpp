// expect: verified
// A queue that a writer keeps short by the number of elements.
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
        size++;
    }
    void pop()
    {
        IMPASSE_MUST_RETURN;
        wait();
        head_ = (head_ + 1) % 3;
        size--;
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
