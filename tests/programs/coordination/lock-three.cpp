// expect: verified
// broken: error kind=hang line=31|40
// Several mutexes of several types are locked at once, in any order. With -DBROKEN, one after the other.
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

std::mutex first;
std::recursive_mutex second;
std::shared_mutex third;
int sum;

void add(int n)
{
    std::shared_lock<std::shared_mutex> reading(third, std::defer_lock);
    std::lock(reading, second, first);
    second.unlock();
    sum += n;
    first.unlock();
}

} // namespace

int main()
{
    std::thread other([] {
#ifdef BROKEN
        std::lock_guard<std::mutex> a(first);
        std::lock_guard<std::recursive_mutex> b(second);
#else
        std::scoped_lock all(first, second, third);
#endif
        sum++;
    });
#ifdef BROKEN
    {
        std::lock_guard<std::recursive_mutex> b(second);
        std::lock_guard<std::mutex> a(first);
    }
#endif
    add(2);
    other.join();
    return sum - 3;
}
