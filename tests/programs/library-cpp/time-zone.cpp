// expect: verified
// environment: 12 the file "/usr/share/zoneinfo/tzdata.zi" does not exist
// There are no time zones where no file describes any: that is an exception.
#include <cassert>
#include <chrono>
#include <stdexcept>

int main()
{
    bool found = true;
    try {
        std::chrono::locate_zone("Europe/Berlin");
    } catch (const std::runtime_error &) {
        found = false;
    }
    assert(!found);
}
