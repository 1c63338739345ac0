// expect: verified
// most-states: 400
// Two workers take tasks that share an object; to copy a task is to count a reference.
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

std::queue<std::function<void()>> tasks;
std::mutex guard;
std::condition_variable changed;
bool stopped = false;

void work()
{
    for (;;) {
        std::unique_lock lock(guard);
        changed.wait(lock, [] { return stopped || !tasks.empty(); });
        if (tasks.empty())
            return;
        auto task = tasks.front();
        tasks.pop();
        lock.unlock();
        task();
    }
}

int main()
{
    std::thread one(work), two(work);
    auto shared = std::make_shared<int>(1);
    {
        std::lock_guard lock(guard);
        tasks.push([shared] { (void)*shared; });
    }
    changed.notify_one();
    {
        std::lock_guard lock(guard);
        stopped = true;
    }
    changed.notify_all();
    one.join();
    two.join();
}
