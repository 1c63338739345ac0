// expect: error kind=hang line=9|10 message="can never lock forks["
// Two philosophers. Their forks are the elements of a vector.
#include <mutex>
#include <thread>
#include <vector>

void eat(std::vector<std::mutex> &forks, int n)
{
    std::lock_guard left(forks[n]);
    std::lock_guard right(forks[(n + 1) % forks.size()]);
}

int main()
{
    std::vector<std::mutex> forks(2);
    std::thread first(eat, std::ref(forks), 0), second(eat, std::ref(forks), 1);
    first.join();
    second.join();
}
