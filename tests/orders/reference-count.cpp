// expect: verified
// broken: data-race
// The last owner must have acquired what the others have released.
#include <atomic>
#include <thread>

struct Shared {
    std::atomic<int> count{2};
    int data = 0;
};

static void release(Shared *shared)
{
#ifdef BROKEN
    if (shared->count.fetch_sub(1, std::memory_order_relaxed) == 1) // enough: acq_rel
        delete shared;
#else
    if (shared->count.fetch_sub(1) == 1) // enough: acq_rel
        delete shared;
#endif
}

int main()
{
    Shared *shared = new Shared;
    std::thread other([shared] {
        int seen = shared->data;
        (void)seen;
        release(shared);
    });
    release(shared);
    other.join();
}
