// expect: verified
// broken: error kind=assertion line=35
// A call of try_lock that throws leaves nothing locked.
#include <cassert>
#include <mutex>
#include <system_error>

namespace {

struct Stubborn {
    void lock() { throw 1; }
    bool try_lock() { throw 2; }
    void unlock() {}
};

} // namespace

int main()
{
    std::mutex first, second;
    Stubborn third;
    try {
        std::lock(first, second, third);
    } catch (int which) {
        assert(which == 2);
    }
    std::lock_guard<std::mutex> one(first), other(second);
#ifdef BROKEN
    std::mutex fifth;
    Stubborn fourth;
    try {
        std::lock(third, fourth, fifth);
        assert(false);
    } catch (int which) {
        assert(which == 2);
    }
#endif
    return 0;
}
