// expect: verified
// The library compares several elements at once, some of which lie in what is not initialised.
#include <algorithm>
#include <cassert>
int main()
{
    int a[] = {0, 1, 2, 2}, b[] = {0, 1, 2, 3};
    assert(std::mismatch(a, a + 4, b).first == a + 3);
}
