// expect: error kind=assertion
// clang: -std=c++20
#include <cassert>
#include <latch>

int main() {
    std::latch latch(1);
    latch.count_down();
    assert(latch.try_wait());
}
