// expect: verified
// broken: error kind=hang line=13|24
// por-off: skip
// The initialisation of a static variable waits for a thread that works without the variable. With
// -DBROKEN: The thread needs the variable.
#include <thread>

int compute();
int half = 0;

int value()
{
    static int result = compute();
    return result;
}

int compute()
{
#ifdef BROKEN
    std::thread helper([] { half = value(); });
#else
    std::thread helper([] { half = 1; });
#endif
    helper.join();
    return 1;
}

int main() { return value() - 1; }
