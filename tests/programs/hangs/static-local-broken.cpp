// expect: error kind=hang line=10|17
// por-off: skip
// The initialisation of a static variable waits for a thread that needs the variable.
#include <thread>

int compute();

int value()
{
    static int result = compute();
    return result;
}

int compute()
{
    std::thread helper([] { value(); });
    helper.join();
    return 1;
}

int main() { return value() - 1; }
