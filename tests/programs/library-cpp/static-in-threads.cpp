// expect: verified
// broken: error kind=data-race message=uses
// most-states: 1500
// Threads that need a static local variable agree on it, and come after its initialisation. With
// -DBROKEN, they change it without a lock.
#include <cassert>
#include <thread>

int made = 0;

struct Table {
    int uses = 0;
    Table() { made++; }
};

Table &table()
{
    static Table table;
    return table;
}

int main()
{
    std::thread threads[3];
    for (std::thread &thread : threads)
        thread = std::thread([] {
            Table &shared = table();
            assert(made == 1);
#ifdef BROKEN
            shared.uses++;
#else
            (void)shared;
#endif
        });
    for (std::thread &thread : threads)
        thread.join();
}
