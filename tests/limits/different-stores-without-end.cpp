// flags: --memory-model tso --store-buffer unbounded
// As the buffers grow, so do the orders in which they can be drained.
#include <atomic>
#include <thread>

std::atomic<int> x, y;

int main()
{
    constexpr auto relaxed = std::memory_order_relaxed;
    std::thread([] {
        for (;;) {
            x.store(1, relaxed);
            x.store(0, relaxed);
        }
    }).detach();
    for (;;)
        y.store(x.load(relaxed), relaxed);
}
