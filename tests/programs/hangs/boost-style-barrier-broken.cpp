// expect: error kind=hang line=19 message="barrier.all_here_"
// A barrier of a mutex and a condition, as thread libraries make it: but who wakes late
// finds that the next round has begun, and waits for its end.
#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
    explicit Barrier(int size) : size_(size), missing_(size) {}
    void wait()
    {
        std::unique_lock lock(mutex_);
        if (--missing_ == 0) {
            missing_ = size_;
            all_here_.notify_all();
            return;
        }
        all_here_.wait(lock, [&] { return missing_ == size_; });
    }

private:
    const int size_;
    std::mutex mutex_;
    std::condition_variable all_here_;
    int missing_;
};

Barrier barrier(2);

int main()
{
    std::thread other([] {
        barrier.wait();
        barrier.wait();
    });
    barrier.wait();
    barrier.wait();
    other.join();
}
