// expect: verified
// broken: error kind=hang line=16
// A thread-local object is destroyed when its thread has done its work. Its destructor needs a lock
// that is free. With -DBROKEN: A thread-local object is destroyed when its thread has done its
// work. Its destructor needs the lock that main holds while it joins.
#include <mutex>
#include <thread>

std::mutex registry;
int registered;

struct Registration {
    Registration() : number(1) {}
    ~Registration()
    {
        std::lock_guard lock(registry);
        registered -= number;
    }
    int number;
};

thread_local Registration registration;

int main()
{
#ifdef BROKEN
    std::lock_guard lock(registry);
#endif
    std::thread worker([] { registered = 0; registration.number = 2; });
    worker.join();
}
