// expect: verified
// A task is carried out, or dropped: then the one who waits gets an exception.
#include <future>
#include <impasse.h>
#include <thread>

int main()
{
    std::packaged_task<int()> task([] { return 1; });
    auto answer = task.get_future();
    std::thread worker([task = std::move(task)]() mutable {
        if (impasse_choose(2))
            task();
    });
    try {
        answer.get();
    } catch (const std::future_error &) {
    }
    worker.join();
}
