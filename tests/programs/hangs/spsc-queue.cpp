// expect: verified
// broken: error kind=hang line=16|28 message="can never finish its wait for queue."
// A lock-free queue for one writer and one reader, fed forever. With -DBROKEN: A lock-free queue
// for one writer and one reader, that is taken to be full when it is empty.
#include <atomic>
#include <impasse/section.h>
#include <thread>

class Queue {
public:
    void push(int value)
    {
        impasse::wait wait(&head_);
        int tail = tail_;
#ifdef BROKEN
        while (tail == head_) {
#else
        while ((tail + 1) % 2 == head_) {
#endif
        }
        items_[tail] = value;
        tail_ = (tail + 1) % 2;
    }
    int pop()
    {
        impasse::wait wait(&tail_);
        int head = head_;
        while (head == tail_) {
        }
        int value = items_[head];
        head_ = (head + 1) % 2;
        return value;
    }

private:
    std::atomic<int> head_ = 0, tail_ = 0;
    int items_[2];
};

Queue queue;

int main()
{
    std::thread reader([] {
        for (;;)
            queue.pop();
    });
    for (;;)
        queue.push(1);
}
