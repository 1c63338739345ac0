// expect: error kind=data-race line=20|21 message="which nothing orders after"
// An object that only one thread could reach when it was written is published by a relaxed store.
#include <atomic>
#include <thread>
#ifndef PUBLISH
#define PUBLISH std::memory_order_relaxed
#endif
struct Data {
    int value;
};
static std::atomic<Data *> published;

int main() {
    std::thread writer([] {
        Data *data = new Data;
        data->value = 1;
        published.store(data, PUBLISH);
    });
    if (Data *data = published.load(std::memory_order_acquire)) {
        if (data->value != 1)
            return 1;
    }
    writer.join();
    delete published.load();
}
