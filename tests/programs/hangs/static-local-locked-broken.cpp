// expect: error kind=hang line=15 message="the initialisation of instance()::registry"
// The static variable's constructor takes the lock that a user of it holds already.
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
    {
        std::lock_guard lock(guard);
        instance().entries++;
    }
    first.join();
}
