// expect: verified
// The static variable's constructor takes a lock that no user of it holds.
#include <mutex>
#include <thread>

std::mutex guard;

struct Registry {
    Registry() { std::lock_guard lock(guard); }
    int entries = 0;
};

Registry &instance()
{
    static Registry registry;
    return registry;
}

int main()
{
    std::thread first([] { instance(); });
    Registry &registry = instance();
    {
        std::lock_guard lock(guard);
        registry.entries++;
    }
    first.join();
}
