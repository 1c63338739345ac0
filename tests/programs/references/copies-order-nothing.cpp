// expect: verified
// broken: error kind=data-race message=written
// Two threads copy a shared_ptr; a count of references orders no accesses but that of what is freed.
// With -DBROKEN, a thread reads what the other one has written before its copy.
#include <memory>
#include <thread>

int written = 0;

int main()
{
    auto shared = std::make_shared<int>(1);
    std::thread other([shared] {
        written = *shared;
        auto copy = shared;
    });
    auto copy = shared;
#ifndef BROKEN
    other.join();
#endif
    int seen = written;
#ifdef BROKEN
    other.join();
#endif
    return seen - written;
}
