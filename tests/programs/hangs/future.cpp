// expect: verified
// The promise is kept on each way out.
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread worker([&promise] {
        try {
            promise.set_value(42);
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    int value = answer.get();
    worker.join();
    return value - 42;
}
