// expect: verified
// broken: error kind=hang line=26
// Each of two consumers gets a mark for the end. With -DBROKEN: Two consumers, but only one mark
// for the end: the other consumer waits forever.
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex guard;
std::condition_variable filled;
std::queue<int> queue;

void put(int item)
{
    {
        std::lock_guard lock(guard);
        queue.push(item);
    }
    filled.notify_one();
}

int take()
{
    std::unique_lock lock(guard);
    filled.wait(lock, [] { return !queue.empty(); });
    int item = queue.front();
    queue.pop();
    return item;
}

void consume()
{
    while (take() != 0) {
    }
}

int main()
{
    std::thread one(consume), two(consume);
    put(1);
    put(0);
#ifndef BROKEN
    put(0);
#endif
    one.join();
    two.join();
}
