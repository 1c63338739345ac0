// expect: error kind=assertion
// clang: -std=c++20
#include <cassert>
#include <semaphore>

int main() {
    std::counting_semaphore<2> semaphore(1);
    assert(semaphore.try_acquire());
}
