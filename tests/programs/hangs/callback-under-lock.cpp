// expect: verified
// Observers are called without the lock, and may attach more of them.
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
        std::vector<std::function<void()>> all;
        {
            std::lock_guard lock(guard);
            all = observers;
        }
        for (auto &observer : all)
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
