// expect: error kind=hang line=18 message="its wait for answer"
// por-off: skip
// The exception that was to tell of a failure is caught too early: the promise is never kept.
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread worker([&promise] {
        try {
            throw 1;
            promise.set_value(42);
        } catch (...) {
        }
    });
    int value = answer.get();
    worker.join();
    return value - 42;
}
