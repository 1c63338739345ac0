// expect: verified
// broken: error kind=hang
// most-states: 200
// Philosophers who take both forks at once. With -DBROKEN: one after the other.
#include <mutex>
#include <thread>
#include <vector>

static constexpr int count = 3;
static std::mutex forks[count];
static int eaten[count];

static void eat(int seat)
{
    std::mutex &left = forks[seat], &right = forks[(seat + 1) % count];
#ifdef BROKEN
    std::lock_guard first(left);
    std::lock_guard second(right);
#else
    std::scoped_lock both(left, right);
#endif
    eaten[seat]++;
    eaten[(seat + 1) % count]++;
}

int main()
{
    std::vector<std::thread> threads;
    for (int seat = 0; seat < count; seat++)
        threads.emplace_back(eat, seat);
    for (std::thread &thread : threads)
        thread.join();
    return eaten[0] + eaten[1] + eaten[2] != 2 * count;
}
