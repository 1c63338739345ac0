// expect: verified
// broken: error kind=assertion
// flags: -std=c++17 -std=c11 -pthread -O2 -Wall -g3 -fno-rtti -U NEVER -D LIMIT=3 -march=native -lm
// A standard applies to the files of its language, and flags may stand anywhere.
#include <cassert>
#include <optional>
#include <thread>

#ifdef NEVER
#error "-U comes after it"
#endif
#ifndef _REENTRANT
#error "-pthread defines it"
#endif
static_assert(__cplusplus == 201703L);

extern "C" int counted(void);

#ifdef BROKEN
constexpr int limit = LIMIT + 1;
#else
constexpr int limit = LIMIT;
#endif

int main()
{
    std::optional<int> found;
    std::thread thread([&found] { found = counted(); });
    thread.join();
    assert(found == limit);
}
