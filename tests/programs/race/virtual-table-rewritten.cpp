// expect: verified
// broken: error kind=data-race line=18|21
// A destructor stores the address of its class's virtual table where it is already, while a thread calls a virtual function: nothing
// changes, and in C++ there is no such access. With -DBROKEN the object's class is a derived one, so the destructor changes the table
// under the thread.
#include <atomic>
#include <thread>

struct Service {
    std::atomic<bool> stops{false};
    int turns = 0;
    std::thread worker;

    virtual void turn() { ++turns; }
    void start() {
        worker = std::thread([this] {
            if (!stops)
                turn();
        });
    }
    virtual ~Service() {
        stops = true;
        worker.join();
    }
};

#ifdef BROKEN
struct Derived : Service {
    int more = 0;
    void turn() override { ++more; }
};
using Used = Derived;
#else
using Used = Service;
#endif

int main() {
    Used service;
    service.start();
}
