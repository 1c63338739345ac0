// expect: verified
// A global object takes a lock when it is destroyed, after main has given it up.
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
    m.unlock();
}
