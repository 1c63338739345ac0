// expect: verified
// por-off: skip
// A semaphore of a mutex and a condition: each unit that comes is told of.
#include <condition_variable>
#include <mutex>
#include <thread>

class Semaphore {
public:
    void post()
    {
        std::lock_guard lock(mutex_);
        count_++;
        more_.notify_one();
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
