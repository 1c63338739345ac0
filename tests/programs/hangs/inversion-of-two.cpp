// expect: verified
// broken: error kind=hang line=17|27 message="can never lock"
// Both take the locks with std::scoped_lock, in whatever order. With -DBROKEN: Each takes first
// what the other takes second.
#include <mutex>
#include <thread>

std::mutex from, to;
int balance[2] = {1, 1};

int main()
{
    std::thread there([] {
#ifdef BROKEN
        std::lock_guard first(from);
        // main may hold `to`
        std::lock_guard second(to);
#else
        std::scoped_lock both(from, to);
#endif
        balance[0]--, balance[1]++;
    });
    {
#ifdef BROKEN
        std::lock_guard first(to);
        // and wait here
        std::lock_guard second(from);
#else
        std::scoped_lock both(to, from);
#endif
        balance[1]--, balance[0]++;
    }
    there.join();
}
