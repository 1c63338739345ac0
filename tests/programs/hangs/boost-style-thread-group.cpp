// expect: verified
// broken: error kind=hang line=16|36
// por-off: skip
// broken-por-off: run
// A group of threads that may add threads to the group; it is joined without its lock held. With
// -DBROKEN: A group of threads that may add threads to the group; it is joined with its lock held.
#include <mutex>
#include <thread>
#include <vector>

class Group {
public:
    template <class F>
    void add(F f)
    {
        std::lock_guard lock(mutex_);
        threads_.emplace_back(f);
    }
    void join_all()
    {
        for (;;) {
            std::vector<std::thread> taken;
#ifdef BROKEN
            std::lock_guard lock(mutex_);
            taken.swap(threads_);

#else
            {
                std::lock_guard lock(mutex_);
                taken.swap(threads_);
            }
#endif
            if (taken.empty())
                return;
            for (auto &thread : taken)
                thread.join();
        }
    }

private:
    std::mutex mutex_;
    std::vector<std::thread> threads_;
};

int main()
{
    Group group;
    group.add([&group] { group.add([] {}); });
    group.join_all();
}
