// expect: error kind=assertion line=30
// flags: --memory-model tso
// sequential: verified
// por-off: skip
// trace: writes n->a (Node#1): 1, delayed in its store buffer
// trace: reads n->b (Node#1): 0, before its write of n->a is in memory
// trace: delayed write of n->a (Node#1) reaches memory: 1
// What is in a store buffer has the names that the program gives it, on the heap as well.
#include <atomic>
#include <cassert>
#include <thread>
struct Node {
    std::atomic<int> a{0}, b{0};
};
Node *n;
int first, second;
int main()
{
    n = new Node;
    std::thread t([] {
        n->a.store(1, std::memory_order_relaxed);
        first = n->b.load(std::memory_order_relaxed);
    });
    std::thread u([] {
        n->b.store(1, std::memory_order_relaxed);
        second = n->a.load(std::memory_order_relaxed);
    });
    t.join();
    u.join();
    assert(first + second > 0);
    delete n;
}
