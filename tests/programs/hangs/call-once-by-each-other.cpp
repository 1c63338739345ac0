// expect: verified
// broken: error kind=hang line=13|23
// One initialisation needs another one. With -DBROKEN: Each of the two needs the other.
#include <mutex>
#include <thread>

std::once_flag first, second;
void make_second();

void make_first()
{
    // while another thread is in make_second
    std::call_once(first, make_second);
}

void make_second()
{
#ifdef BROKEN
    auto make = make_first;
#else
    auto make = [] {};
#endif
    std::call_once(second, make);
}

int main()
{
    std::thread other(make_first);
    make_second();
    other.join();
}
