// expect: verified
// broken: error kind=hang line=18|19 message="can never lock forks["
// Two philosophers. Their forks are the elements of a vector, and both take the same one first.
// With -DBROKEN: Each takes the fork on the left first.
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

void eat(std::vector<std::mutex> &forks, int n)
{
    int left = n, right = (n + 1) % forks.size();
#ifndef BROKEN
    if (left > right)
        std::swap(left, right);
#endif
    std::lock_guard one(forks[left]);
    std::lock_guard other(forks[right]);
}

int main()
{
    std::vector<std::mutex> forks(2);
    std::thread first(eat, std::ref(forks), 0), second(eat, std::ref(forks), 1);
    first.join();
    second.join();
}
