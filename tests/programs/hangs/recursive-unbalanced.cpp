// expect: verified
// broken: error kind=hang line=13
// Each lock of a recursive mutex is undone, on each way out. With -DBROKEN: The innermost lock of a
// recursive mutex is not undone.
#include <mutex>
#include <thread>

std::recursive_mutex m;
int value;

bool visit(int depth)
{
    m.lock();
    if (depth == 0) {
#ifndef BROKEN
        m.unlock();
#endif
        return value == 1;
    }
    bool found = visit(depth - 1);
    m.unlock();
    return found;
}

int main()
{
    std::thread other([] { visit(1); });
    visit(2);
    other.join();
}
