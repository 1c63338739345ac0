// expect: error kind=assertion line=12
// flags: --full-trace --library-frames
// trace: writes v.__end_
// trace: undefined becomes 3
// trace: writes v[0]: 3 becomes 4
#include <cassert>
#include <vector>
int main()
{
    std::vector<int> v;
    v.push_back(3);
    v[0] = 4, assert(v[0] == 5);
}
