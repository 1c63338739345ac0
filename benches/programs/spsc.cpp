// A lock-free queue of one producer and one consumer, forever.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef CAPACITY
#define CAPACITY 4
#endif
#ifndef VALUES
#define VALUES 8
#endif

std::atomic<unsigned> head, tail;
unsigned cells[CAPACITY];

void produce() {
    for (unsigned value = 0;; value = (value + 1) % VALUES) {
        unsigned at = tail.load(std::memory_order_relaxed);
        while ((at + 1) % CAPACITY == head.load(std::memory_order_acquire)) {
        }
        cells[at] = value;
        tail.store((at + 1) % CAPACITY, std::memory_order_release);
    }
}

int main() {
    std::thread producer(produce);
    for (unsigned expected = 0;; expected = (expected + 1) % VALUES) {
        unsigned at = head.load(std::memory_order_relaxed);
        while (at == tail.load(std::memory_order_acquire)) {
        }
        assert(cells[at] == expected);
        head.store((at + 1) % CAPACITY, std::memory_order_release);
    }
}
