// expect: verified
// por-off: skip
// One condition for two reasons to wait, so that all who wait are told.
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
        changed_.wait(lock, [&] { return size_ < 1; });
        size_++;
        changed_.notify_all();
    }
    void pop()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return size_ > 0; });
        size_--;
        changed_.notify_all();
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
