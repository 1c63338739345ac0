// expect: verified
// A thread-local object is destroyed when its thread has done its work. Its destructor needs a lock that is free.
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
    std::thread worker([] { registered = 0; registration.number = 2; });
    worker.join();
}
