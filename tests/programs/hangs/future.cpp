// expect: verified
// broken: error kind=hang line=25 message="its wait for answer"
// broken-por-off: skip
// The promise is kept on each way out. With -DBROKEN: The exception that was to tell of a failure
// is caught too early: the promise is never kept.
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread worker([&promise] {
        try {
#ifdef BROKEN
            throw 1;
#endif
            promise.set_value(42);
        } catch (...) {
#ifndef BROKEN
            promise.set_exception(std::current_exception());
#endif
        }
    });
    int value = answer.get();
    worker.join();
    return value - 42;
}
