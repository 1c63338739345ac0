// expect: verified
// broken: error kind=hang
// flags: --hangs=global
// por-off: skip
// A deque of work: its owner takes from one end, a thief from the other; both stop when all is
// done. With -DBROKEN: A deque of work: its owner takes from one end, a thief from the other; the
// last piece is lost when both reach for it.
#include <atomic>
#include <thread>

class Deque {
public:
    Deque(int size) : bottom_(size) {}
    bool take()
    {
        int bottom = bottom_ - 1;
        bottom_ = bottom;
        int top = top_;
        if (top < bottom)
            return true;
        bool won = top == bottom && top_.compare_exchange_strong(top, top + 1);
        bottom_ = bottom + 1;
        return won;
    }
    bool steal()
    {
        int top = top_;
#ifdef BROKEN
        if (top >= bottom_)
            return false;
        top_ = top + 1; // should be a compare-and-exchange that can fail
        return top < bottom_;
#else
        return top < bottom_ && top_.compare_exchange_strong(top, top + 1);
#endif
    }

private:
    std::atomic<int> top_ = 0, bottom_;
};

Deque deque(2);
std::atomic<int> left = 2;

int main()
{
    std::thread thief([] {
        while (left > 0)
            if (deque.steal())
                left--;
    });
    while (left > 0)
        if (deque.take())
            left--;
    thief.join();
}
