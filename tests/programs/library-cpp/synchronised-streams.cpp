// expect: verified
// por-off: skip
// Each thread's line arrives whole, in some order; std::jthread joins.
#include <cassert>
#include <sstream>
#include <syncstream>
#include <thread>

int main()
{
    std::ostringstream all;
    {
        std::jthread other([&] { std::osyncstream(all) << "a" << 1 << "\n"; });
        std::osyncstream(all) << "b" << 2 << "\n";
    }
    assert(all.str() == "a1\nb2\n" || all.str() == "b2\na1\n");
}
