// expect: verified
// broken: error kind=data-race message="count"
// A writer comes after those who had the lock before, and readers after writers. With -DBROKEN: A
// reader does not come after another one.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex table;
int entries, count;

int main()
{
    std::thread reader([] {
        std::shared_lock lock(table);
        if (entries)
            count = entries;
    });
    {
        std::unique_lock lock(table);
        entries = 1;
#ifndef BROKEN
        count++;
#endif
    }
#ifdef BROKEN
    {
        std::shared_lock lock(table);
        count++;
    }
#endif
    reader.join();
}
