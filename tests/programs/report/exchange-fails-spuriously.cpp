// expect: error kind=assertion line=9
// trace: compare-exchange of x fails spuriously: it is 5
#include <atomic>
#include <cassert>
std::atomic<int> x = 5;
int main()
{
    int expected = 5;
    assert(x.compare_exchange_weak(expected, 9));
}
