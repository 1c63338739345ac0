// expect: error kind=hang
// The loop ends only where try_lock fails for no reason.
#include <mutex>
#ifndef GOES_ON
#define GOES_ON() inner.try_lock()
#endif
static std::mutex outer, inner;

int main() {
    std::lock_guard guard(outer);
    while (GOES_ON())
        inner.unlock();
}
