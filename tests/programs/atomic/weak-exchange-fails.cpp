// expect: error kind=assertion
// A weak compare-exchange may fail though the value is the expected one.
#include <atomic>
#include <cassert>

int main() {
    std::atomic<int> value{0};
    int expected = 0;
    assert(value.compare_exchange_weak(expected, 1));
}
