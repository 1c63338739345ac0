// expect: verified
// Double-checked initialisation.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int *> instance = nullptr;
std::mutex making;
int object;

int *get()
{
    int *found = instance;
    if (!found) {
        std::lock_guard lock(making);
        found = instance;
        if (!found) {
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
