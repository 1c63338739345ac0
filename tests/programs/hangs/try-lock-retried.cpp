// expect: verified
// An attempt to lock that fails spuriously is made again, and succeeds.
#include <mutex>
static std::mutex outer, inner;

int main() {
    std::lock_guard guard(outer);
    while (!inner.try_lock()) {}
    inner.unlock();
}
