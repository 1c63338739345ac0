// expect: verified
// broken: verified
// most-states: 70
// broken-most-states: 278
// Three threads pass a barrier twice. With -DBROKEN: Four threads lock a shared mutex, one of them
// for writing. Each operation is a step, and none is polled.
#include <barrier>
#include <cassert>
#include <shared_mutex>
#include <thread>
#include <vector>

#ifdef BROKEN
constexpr int count = 4;
std::shared_mutex table;
#else
constexpr int count = 3;
std::barrier meeting(count);
#endif
int entries[count];

void work(int self)
{
#ifdef BROKEN
    if (self == 0) {
        std::unique_lock lock(table);
        entries[0]++;
    } else {
        std::shared_lock lock(table);
        (void)entries[0];
    }
#else
    entries[self] = 1;
    meeting.arrive_and_wait();
    int sum = 0;
    for (int entry : entries)
        sum += entry;
    assert(sum == count);
    meeting.arrive_and_wait();
#endif
}

int main()
{
    std::vector<std::thread> threads;
    for (int self = 0; self < count; self++)
        threads.emplace_back(work, self);
    for (auto &thread : threads)
        thread.join();
}
