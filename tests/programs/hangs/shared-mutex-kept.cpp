// expect: verified
// A reader of a table that is looked up forever lets the writer in now and then.
#include <cstdlib>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int entry = 0;

int main()
{
    std::thread reader([] {
        for (;;) {
            std::shared_lock lock(guard);
            if (entry < 0)
                std::abort();
        }
    });
    reader.detach();
    for (;;) {
        std::unique_lock lock(guard);
        entry = !entry;
    }
}
