// Tests with doctest:
// impasse test -idirafter /usr/include --address-reuse off examples/doctest/inbox_test.cpp
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "inbox.h"

#include <thread>

// The tests check what happened when all threads have ended: checks count themselves in atomics, and
// what a thread checks while others run is explored in all orders as well.
TEST_CASE("a letter arrives")
{
    Inbox inbox;
    std::thread writer([&] { inbox.put(1); });
    int letter = 0;
    bool taken = inbox.take(letter);
    writer.join();
    CHECK(taken);
    CHECK(letter == 1);
}

TEST_CASE("a closed inbox ends")
{
    Inbox inbox;
    bool taken = true;
    std::thread reader([&] {
        int letter;
        taken = inbox.take(letter);
    });
    inbox.close();
    reader.join();
    CHECK(!taken);
}

TEST_CASE("all readers end")
{
    Inbox inbox;
    int letters[2];
    std::thread first([&] { inbox.take(letters[0]); });
    std::thread second([&] { inbox.take(letters[1]); });
    inbox.close();
    first.join();
    second.join();
}
