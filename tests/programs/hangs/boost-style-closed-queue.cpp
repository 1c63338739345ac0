// expect: verified
// broken: error kind=hang line=20 message="queue.changed_"
// A queue that can be closed: closing it wakes the threads that wait at it. With -DBROKEN: A
// queue that can be closed: but who waits at it is not told.
#include <condition_variable>
#include <mutex>
#include <thread>

class Queue {
public:
    void push()
    {
        std::lock_guard lock(mutex_);
        size_++;
        changed_.notify_one();
    }
    bool pull()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return size_ > 0 || closed_; });
        if (size_ == 0)
            return false;
        size_--;
        return true;
    }
    void close()
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
#ifndef BROKEN
        changed_.notify_all();
#endif
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int size_ = 0;
    bool closed_ = false;
};

Queue queue;

int main()
{
    std::thread reader([] {
        while (queue.pull()) {
        }
    });
    queue.push();
    queue.close();
    reader.join();
}
