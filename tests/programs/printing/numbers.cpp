// expect: verified
// broken: error kind=assertion line=17
// most-states: 700
// persistent-sets: needed
// Threads that print numbers with std::cout do not depend on each other.
#include <cassert>
#include <iostream>
#include <thread>
#include <vector>

static void work(int number)
{
    std::cout << "number " << number << std::endl;
    std::cerr << number * 0.5 << '\n';
#ifdef BROKEN
    std::cout.setstate(std::ios::failbit);
    assert(std::cout << number);
#endif
}

int main()
{
    std::vector<std::thread> threads;
    for (int number = 0; number < 3; number++)
        threads.emplace_back(work, number);
    for (std::thread &thread : threads)
        thread.join();
}
