// expect: error kind=undefined-value
// The third elements are not initialised, and are compared.
#include <algorithm>
#include <cassert>
int main()
{
    int a[4], b[4];
    a[0] = b[0] = 0;
    a[1] = b[1] = 1;
    return std::mismatch(a, a + 3, b).first == a ? 1 : 0;
}
