// expect: verified
// broken: error kind=hang line=65|66
// A pool of one thread does one job after the other. With -DBROKEN: A job waits for another one of
// the same pool, which has only the thread that waits.
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

class Pool {
public:
    ~Pool()
    {
        {
            std::lock_guard lock(guard);
            stopped = true;
        }
        changed.notify_all();
        worker.join();
    }

    std::future<int> submit(std::function<int()> job)
    {
        auto task = std::make_shared<std::packaged_task<int()>>(std::move(job));
        auto result = task->get_future();
        {
            std::lock_guard lock(guard);
            jobs.push_back([task] { (*task)(); });
        }
        changed.notify_one();
        return result;
    }

private:
    void run()
    {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock lock(guard);
                changed.wait(lock, [this] { return stopped || !jobs.empty(); });
                if (jobs.empty())
                    return;
                job = std::move(jobs.front());
                jobs.pop_front();
            }
            job();
        }
    }

    std::mutex guard;
    std::condition_variable changed;
    std::deque<std::function<void()>> jobs;
    bool stopped = false;
    std::thread worker{[this] { run(); }};
};

int main()
{
    Pool pool;
#ifdef BROKEN
    auto sum = pool.submit([&pool] { return 1 + pool.submit([] { return 2; }).get(); });
    return sum.get() == 3 ? 0 : 1;
#else
    auto one = pool.submit([] { return 1; });
    auto two = pool.submit([] { return 2; });
    return one.get() + two.get() == 3 ? 0 : 1;
#endif
}
