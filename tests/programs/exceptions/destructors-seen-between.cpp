// expect: verified
// broken: error kind=assertion
// What destructors do while a thread unwinds, others see in its order. With -DBROKEN: Between two
// destructors of a thread that unwinds, others run.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> outer{0}, inner{0};

struct Mark {
    std::atomic<int> &place;
    ~Mark() { place = 1; }
};

void leave()
{
    Mark first{outer};
    Mark second{inner};
    throw 1;
}

int main()
{
    std::thread thread([] {
        try {
            leave();
        } catch (int) {
        }
    });
    int seen_outer = outer, seen_inner = inner;
#ifdef BROKEN
    assert(seen_inner == seen_outer || seen_outer == 1);
#else
    assert(seen_outer == 0 || seen_inner == 1);
#endif
    thread.join();
}
