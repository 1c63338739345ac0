// expect: verified
// broken: error kind=hang line=41 message="pool.changed_"
// por-off: skip
// The end of a pool is noted with the mutex locked. With -DBROKEN: It is noted without the mutex: a
// thread that has looked, but does not wait yet, misses it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
public:
    Pool() : thread_([this] { serve(); }) {}
    ~Pool()
    {
        {
#ifndef BROKEN
            std::lock_guard lock(mutex_);
#endif
            ended_ = true;
        }
        changed_.notify_all();
        thread_.join();
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
        while (!ended_) {
            if (tasks_ > 0) {
                tasks_--;
                continue;
            }
            changed_.wait(lock);
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> ended_ = false;
    int tasks_ = 0;
    std::thread thread_;
};

int main()
{
    Pool pool;
    pool.submit();
}
