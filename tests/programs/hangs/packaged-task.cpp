// expect: verified
// broken: error kind=hang line=22
// A task is carried out, or dropped: then the one who waits gets an exception. With -DBROKEN: A
// task may be left where it is, neither carried out nor dropped, while the answer is waited for.
#include <future>
#include <impasse.h>
#include <thread>

int main()
{
    std::packaged_task<int()> task([] { return 1; });
    auto answer = task.get_future();
#ifdef BROKEN
    std::thread worker([&task] {
#else
    std::thread worker([task = std::move(task)]() mutable {
#endif
        if (impasse_choose(2))
            task();
    });
#ifdef BROKEN
    answer.get();
#else
    try {
        answer.get();
    } catch (const std::future_error &) {
    }
#endif
    worker.join();
}
