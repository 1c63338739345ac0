// expect: verified
// An initialisation that fails once is tried again, by the thread that comes next.
#include <mutex>
#include <thread>

std::once_flag once;
int attempts, value;

int get()
{
    std::call_once(once, [] {
        if (attempts++ == 0)
            throw 1;
        value = 1;
    });
    return value;
}

int main()
{
    std::thread other([] {
        try {
            get();
        } catch (int) {
        }
    });
    try {
        get();
    } catch (int) {
    }
    other.join();
}
