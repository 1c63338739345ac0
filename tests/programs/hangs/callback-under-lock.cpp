// expect: verified
// broken: error kind=hang line=14
// Observers are called without the lock, and may attach more of them. With -DBROKEN: An observer
// that attaches another one is called with the lock held that attaching takes.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Subject {
public:
    void attach(std::function<void()> observer)
    {
        std::lock_guard lock(guard);
        observers.push_back(std::move(observer));
    }

    void notify()
    {
#ifdef BROKEN
        std::lock_guard lock(guard);
        for (auto &observer : observers)
#else
        std::vector<std::function<void()>> all;
        {
            std::lock_guard lock(guard);
            all = observers;
        }
        for (auto &observer : all)
#endif
            observer();
    }

private:
    std::mutex guard;
    std::vector<std::function<void()>> observers;
};

Subject subject;

int main()
{
    subject.attach([] { subject.attach([] {}); });
    std::thread other([] { subject.notify(); });
    other.join();
}
