// expect: error kind=hang line=17 message="can never lock making"
// What is made asks, while it is made, for itself.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int *> instance = nullptr;
std::mutex making;
int object;
int *get();
void prepare() { get(); }

int *get()
{
    int *found = instance;
    if (!found) {
        std::lock_guard lock(making);
        found = instance;
        if (!found) {
            prepare();
            object = 1;
            instance = found = &object;
        }
    }
    return found;
}

int main()
{
    std::thread other(get);
    get();
    other.join();
}
