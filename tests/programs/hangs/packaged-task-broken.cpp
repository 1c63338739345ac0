// expect: error kind=hang line=15
// A task may be left where it is, neither carried out nor dropped, while the answer is waited for.
#include <future>
#include <impasse.h>
#include <thread>

int main()
{
    std::packaged_task<int()> task([] { return 1; });
    auto answer = task.get_future();
    std::thread worker([&task] {
        if (impasse_choose(2))
            task();
    });
    answer.get();
    worker.join();
}
