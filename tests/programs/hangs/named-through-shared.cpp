// expect: verified
// broken: error kind=hang message="can never be woken from its wait for channel->ready_"
// The threads share a channel through a shared_ptr, and who sends signals that there is something
// to be received. With -DBROKEN: No thread signals that.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

template <class T> class Channel {
    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<T> items_;

public:
    void send(T item)
    {
        std::lock_guard guard(mutex_);
        items_.push(item);
#ifndef BROKEN
        ready_.notify_one();
#endif
    }

    T receive()
    {
        std::unique_lock guard(mutex_);
        ready_.wait(guard, [this] { return !items_.empty(); });
        T item = items_.front();
        items_.pop();
        return item;
    }
};

int main()
{
    auto channel = std::make_shared<Channel<int>>();
    std::thread reader([channel] { channel->receive(); });
    channel->send(7);
    reader.join();
}
