// expect: verified
// A hazard pointer: who frees waits until nobody uses the thing; a reader lets go of it.
#include <atomic>
#include <impasse/section.h>
#include <thread>

struct Thing {
    int value = 1;
};

std::atomic<Thing *> current, hazard;

void read()
{
    Thing *thing;
    do {
        thing = current;
        hazard = thing;
    } while (thing != current);
    if (thing)
        (void)thing->value;
    hazard = nullptr;
}

void retire(Thing *thing)
{
    impasse::wait wait(&hazard);
    while (hazard == thing) {
    }
    delete thing;
}

int main()
{
    current = new Thing;
    std::thread reader(read);
    retire(current.exchange(nullptr));
    reader.join();
}
