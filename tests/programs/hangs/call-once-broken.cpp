// expect: error kind=hang line=13|19
// Two initialisations need each other.
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

    std::call_once(second, make_first);
}

int main()
{
    std::thread other(make_first);
    make_second();
    other.join();
}
