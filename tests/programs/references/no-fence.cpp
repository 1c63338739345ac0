// expect: error kind=assertion
// broken: verified
// A copy of a shared_ptr is no fence: both threads may read the old value of the other one's
// variable. With -DBROKEN (which is right), the variables are sequentially consistent.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef BROKEN
constexpr auto order = std::memory_order_seq_cst;
#else
constexpr auto order = std::memory_order_relaxed;
#endif
std::atomic<int> x, y;

int main()
{
    auto shared = std::make_shared<int>(1);
    int first, second;
    std::thread other([&, shared] {
        x.store(1, order);
        auto copy = shared;
        first = y.load(order);
    });
    y.store(1, order);
    auto copy = shared;
    second = x.load(order);
    other.join();
    assert(first || second);
}
