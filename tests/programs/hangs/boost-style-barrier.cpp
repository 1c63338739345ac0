// expect: verified
// A barrier of a mutex and a condition, as thread libraries make it: each round has a number.
#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
    explicit Barrier(int size) : size_(size), missing_(size) {}
    void wait()
    {
        std::unique_lock lock(mutex_);
        bool round = round_;
        if (--missing_ == 0) {
            missing_ = size_;
            round_ = !round_;
            all_here_.notify_all();
            return;
        }
        all_here_.wait(lock, [&] { return round != round_; });
    }

private:
    const int size_;
    std::mutex mutex_;
    std::condition_variable all_here_;
    int missing_;
    bool round_ = false;
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
