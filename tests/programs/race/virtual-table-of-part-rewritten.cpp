// expect: verified
// broken: error kind=data-race line=22|28
// The same as virtual-table-rewritten.cpp where the destructor belongs to a class with virtual bases: it stores the addresses of tables
// that it finds in a table of tables. With -DBROKEN, memory is copied into the object instead, which is an access.
#include <atomic>
#include <cstring>
#include <thread>

struct Base {
    virtual int value() { return 0; }
    virtual ~Base() {}
};
struct Left : virtual Base {
    int left = 1;
    int value() override { return left; }
};
struct Service : Left {
    std::atomic<int> seen{0};
    std::thread worker;

    void start() {
        worker = std::thread([this] { seen = value(); });
    }
    ~Service() override {
#ifdef BROKEN
        char table[sizeof(void *)];
        std::memcpy(table, static_cast<void *>(this), sizeof table);
        std::memcpy(static_cast<void *>(this), table, sizeof table);
#endif
        worker.join();
    }
};

int main() {
    Service service;
    service.start();
}
