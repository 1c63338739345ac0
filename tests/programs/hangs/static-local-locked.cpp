// expect: verified
// broken: error kind=hang line=17 message="the initialisation of instance()::registry"
// The static variable's constructor takes a lock that no user of it holds. With -DBROKEN: The
// static variable's constructor takes the lock that a user of it holds already.
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
#ifndef BROKEN
    Registry &registry = instance();
#endif
    {
        std::lock_guard lock(guard);
#ifdef BROKEN
        instance().entries++;
#else
        registry.entries++;
#endif
    }
    first.join();
}
