// expect: verified
// broken: error kind=hang line=24|35
// por-off: skip
// broken-por-off: run
// One condition for two reasons to wait, so that all who wait are told. With -DBROKEN: One
// condition for two reasons to wait, and one signal: it may wake the wrong one, who waits again.
#include <condition_variable>
#include <mutex>
#include <thread>

class Queue {
public:
    Queue(int size) : size_(size) {}
    void change(int by)
    {
        by > 0 ? push() : pop();
    }
    void push()
    {
        std::unique_lock lock(mutex_);
#ifdef BROKEN
        // another one that waits here may take the signal meant for pop
#endif
        changed_.wait(lock, [&] { return size_ < 1; });
        size_++;
#ifdef BROKEN
        changed_.notify_one();
#else
        changed_.notify_all();
#endif
    }
    void pop()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return size_ > 0; });
        size_--;
#ifdef BROKEN
        changed_.notify_one();
#else
        changed_.notify_all();
#endif
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int size_;
};

Queue queue(0);

int main()
{
    std::thread writer([] {
        queue.push();
        queue.push();
    });
    std::thread reader([] { queue.pop(); });
    queue.pop();
    reader.join();
    writer.join();
}
