// Two threads increment a counter, and nothing keeps them apart: a data race.
// expect: error kind=data-race line=11
#include <cassert>
#include <thread>

int counter = 0;

void increment()
{
    for (int i = 0; i < 2; i++)
        counter++;
}

int main()
{
    std::thread a(increment), b(increment);
    a.join();
    b.join();
    assert(counter == 4);
}
