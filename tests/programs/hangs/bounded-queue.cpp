// expect: verified
// broken: error kind=hang line=16|17|24
// A bounded queue with a mutex and two conditions, fed forever. With -DBROKEN: A bounded queue with
// a mutex and two conditions, where the one who takes does not tell who waits to put.
#include <condition_variable>
#include <impasse/section.h>
#include <mutex>
#include <thread>

class Queue {
public:
    void push()
    {
        IMPASSE_MUST_RETURN;
        std::unique_lock lock(mutex_);
        not_full_.wait(lock, [&] { return size_ < 1; });
        size_++;
        not_empty_.notify_one();
    }
    void pop()
    {
        IMPASSE_MUST_RETURN;
        std::unique_lock lock(mutex_);
        not_empty_.wait(lock, [&] { return size_ > 0; });
        size_--;
#ifndef BROKEN
        not_full_.notify_one();
#endif
    }

private:
    std::mutex mutex_;
    std::condition_variable not_full_, not_empty_;
    int size_ = 0;
};

Queue queue;

int main()
{
    std::thread reader([] {
        for (;;)
            queue.pop();
    });
    for (;;)
        queue.push();
}
