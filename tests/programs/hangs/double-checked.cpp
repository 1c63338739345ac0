// expect: verified
// broken: error kind=hang line=20 message="can never lock making"
// Double-checked initialisation. With -DBROKEN: What is made asks, while it is made, for itself.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int *> instance = nullptr;
std::mutex making;
int object;
#ifdef BROKEN
int *get();
void prepare() { get(); }
#endif

int *get()
{
    int *found = instance;
    if (!found) {
        std::lock_guard lock(making);
        found = instance;
        if (!found) {
#ifdef BROKEN
            prepare();
#endif
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
