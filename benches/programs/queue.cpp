// A bounded queue with condition variables: two producers, two consumers. With -DDEAF no thread
// tells the producers that there is room again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef ITEMS
#define ITEMS 3
#endif
constexpr int CAPACITY = 2;

struct Queue {
    std::mutex guard;
    std::condition_variable not_full, not_empty;
    int items[CAPACITY];
    int first = 0, count = 0;

    void push(int item) {
        std::unique_lock lock(guard);
        not_full.wait(lock, [&] { return count < CAPACITY; });
        items[(first + count++) % CAPACITY] = item;
        not_empty.notify_one();
    }

    int pop() {
        std::unique_lock lock(guard);
        not_empty.wait(lock, [&] { return count > 0; });
        int item = items[first];
        first = (first + 1) % CAPACITY;
        count--;
#ifndef DEAF
        not_full.notify_one();
#endif
        return item;
    }
};

Queue queue;
int sums[2];

int main() {
    std::thread producers[2], consumers[2];
    for (int p = 0; p < 2; p++)
        producers[p] = std::thread([] {
            for (int i = 1; i <= ITEMS; i++)
                queue.push(i);
        });
    for (int c = 0; c < 2; c++)
        consumers[c] = std::thread([c] {
            for (int i = 0; i < ITEMS; i++)
                sums[c] += queue.pop();
        });
    for (auto &t : producers)
        t.join();
    for (auto &t : consumers)
        t.join();
    assert(sums[0] + sums[1] == 2 * ITEMS * (ITEMS + 1) / 2);
}
