// expect: error kind=data-race line=14|15 message="count"
// A lock excludes, but orders nothing where its operations are relaxed.
#include <atomic>
#include <thread>
#ifndef LOCK
#define LOCK std::memory_order_relaxed
#define UNLOCK std::memory_order_relaxed
#endif
static std::atomic_flag locked = ATOMIC_FLAG_INIT;
static int count;

static void work() {
    while (locked.test_and_set(LOCK)) {}
    count++;
    locked.clear(UNLOCK);
}

int main() {
    std::thread first(work), second(work);
    first.join();
    second.join();
}
