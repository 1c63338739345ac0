// expect: verified
// por-off: skip
// No instruction is as large: every operation is one step all the same.
#include <atomic>
#include <cassert>
#include <thread>

struct Range {
    long low, middle, high;
};

std::atomic<Range> range{Range{0, 0, 0}};

void widen()
{
    Range old = range.load();
    while (!range.compare_exchange_weak(old, Range{old.low - 1, 0, old.high + 1})) {
    }
}

int main()
{
    std::thread a(widen), b(widen);
    Range seen = range.load();
    assert(seen.low == -seen.high);
    a.join();
    b.join();
    seen = range.exchange(Range{7, 8, 9});
    assert(seen.low == -2 && seen.high == 2);
    assert(range.load().middle == 8);
    range.store(Range{});
    assert(!range.is_lock_free());
}
