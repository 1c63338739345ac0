// expect: verified
// broken: error kind=data-race message="result"
// Who finds a latch at zero sees what was done before. With -DBROKEN: Who does not find it there
// sees nothing for sure.
#include <latch>
#include <thread>

std::latch done(2);
int result;

int main()
{
    std::thread thread([] {
        result = 1;
        done.count_down();
    });
    done.count_down();
#ifdef BROKEN
    if (!done.try_wait())
#else
    if (done.try_wait())
#endif
        result++;
    thread.join();
}
