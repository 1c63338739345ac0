// expect: verified
// broken: error kind=hang line=28 message="barrier.all_here_"
// A barrier of a mutex and a condition, as thread libraries make it: each round has a number. With
// -DBROKEN: A barrier of a mutex and a condition, as thread libraries make it: but who wakes late
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
#ifndef BROKEN
        bool round = round_;
#endif
        if (--missing_ == 0) {
            missing_ = size_;
#ifndef BROKEN
            round_ = !round_;
#endif
            all_here_.notify_all();
            return;
        }
#ifdef BROKEN
        all_here_.wait(lock, [&] { return missing_ == size_; });
#else
        all_here_.wait(lock, [&] { return round != round_; });
#endif
    }

private:
    const int size_;
    std::mutex mutex_;
    std::condition_variable all_here_;
    int missing_;
#ifndef BROKEN
    bool round_ = false;
#endif
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
