// expect: verified
// broken: error kind=hang
// std::lock takes mutexes that locks have put off, and leaves none of them held by another one
// that it waits for. With -DBROKEN: One of them stays locked.
#include <cassert>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

static std::mutex first, second;
static int moved;

static void move(std::mutex &from, std::mutex &to)
{
    std::unique_lock<std::mutex> one(from, std::defer_lock), other(to, std::defer_lock);
    std::lock(one, other);
    assert(one.owns_lock() && other.owns_lock() && one.mutex() == &from);
    moved++;
    try {
        std::lock(one, other);
        assert(false);
    } catch (const std::system_error &error) {
        assert(error.code() == std::errc::resource_deadlock_would_occur);
    }
#ifdef BROKEN
    other.release();
#endif
}

int main()
{
    std::thread thread(move, std::ref(first), std::ref(second));
    move(second, first);
    thread.join();
    assert(moved == 2);
}
