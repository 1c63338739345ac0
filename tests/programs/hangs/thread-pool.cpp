// expect: verified
// broken: error kind=hang line=39 message="pool.changed_"
// por-off: skip
// A pool of two threads. All are notified of its end, and check for it before each wait. With
// -DBROKEN: A pool of two threads. Only one is notified of its end.
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
public:
    Pool() : a_([this] { serve(); }), b_([this] { serve(); }) {}
    ~Pool()
    {
        {
            std::lock_guard lock(mutex_);
            ended_ = true;
        }
#ifdef BROKEN
        changed_.notify_one();
#else
        changed_.notify_all();
#endif
        a_.join();
        b_.join();
    }
    void submit()
    {
        std::lock_guard lock(mutex_);
        tasks_++;
        changed_.notify_one();
    }

private:
    void serve()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return ended_ || tasks_ > 0; });
            if (tasks_ == 0)
                return;
            tasks_--;
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    int tasks_ = 0;
    std::thread a_, b_;
};

int main()
{
    Pool pool;
    pool.submit();
}
