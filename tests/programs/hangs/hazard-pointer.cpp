// expect: verified
// broken: error kind=hang line=35 message="can never finish its wait for hazard"
// A hazard pointer: who frees waits until no thread uses the object; a reader lets go of it. With
// -DBROKEN: A hazard pointer: who frees waits until no thread uses the object; a reader keeps it
// after its last use.
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
#ifdef BROKEN
    // hazard = nullptr; is missing
#else
    hazard = nullptr;
#endif
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
