// expect: verified
// broken: error kind=hang line=26 message="semaphore.more_"
// por-off: skip
// A semaphore of a mutex and a condition: each new unit is signalled. With -DBROKEN: A
// semaphore of a mutex and a condition: only the first unit is signalled, though two may wait.
#include <condition_variable>
#include <mutex>
#include <thread>

class Semaphore {
public:
    void post()
    {
        std::lock_guard lock(mutex_);
#ifdef BROKEN
        if (count_++ == 0)
            more_.notify_one();
#else
        count_++;
        more_.notify_one();
#endif
    }
    void wait()
    {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [&] { return count_ > 0; });
        count_--;
    }

private:
    std::mutex mutex_;
    std::condition_variable more_;
    int count_ = 0;
};

Semaphore semaphore;

int main()
{
    std::thread a([] { semaphore.wait(); }), b([] { semaphore.wait(); });
    semaphore.post();
    semaphore.post();
    a.join();
    b.join();
}
