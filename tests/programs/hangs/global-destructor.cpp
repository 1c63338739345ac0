// expect: verified
// broken: error kind=hang line=13 message="the main thread can never lock m"
// A global object takes a lock when it is destroyed, after main has given it up. With -DBROKEN: A
// global object takes a lock when it is destroyed, but main has kept it.
#include <mutex>

std::mutex m;
int records = 1;

struct Log {
    ~Log()
    {
        std::lock_guard lock(m);
        records = 0;
    }
} log_file;

int main()
{
    m.lock();
    records++;
#ifndef BROKEN
    m.unlock();
#endif
}
