// expect: error kind=assertion line=10
// trace: try_lock of gate.m fails spuriously
#include <cassert>
#include <mutex>
struct Gate {
    std::mutex m;
} gate;
int main()
{
    assert(gate.m.try_lock());
}
