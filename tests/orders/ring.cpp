// expect: verified
// A ring for one producer and one consumer: each side owns one index, and acquires the other one.
#include <atomic>
#include <cassert>
#include <thread>

template <class T, unsigned size>
class Ring {
    T slots[size];
    std::atomic<unsigned> head{0}, tail{0};

public:
    bool push(T value)
    {
        unsigned end = tail.load(); // enough: relaxed
        if (end - head.load() == size) // enough: acquire
            return false;
        slots[end % size] = value;
        tail.store(end + 1); // enough: release
        return true;
    }

    bool pop(T &value)
    {
        unsigned start = head.load(); // enough: relaxed
        if (start == tail.load()) // enough: acquire
            return false;
        value = slots[start % size];
        head.store(start + 1); // enough: release
        return true;
    }
};

static Ring<int, 1> ring;

int main()
{
    std::thread producer([] {
        for (int n = 1; n <= 2; n++)
            while (!ring.push(n))
                ;
    });
    for (int n = 1, value; n <= 2; n++) {
        while (!ring.pop(value))
            ;
        assert(value == n);
    }
    producer.join();
}
