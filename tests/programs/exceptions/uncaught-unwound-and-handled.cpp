// expect: error kind=assertion
// The handler makes a clean end of it, but on one of the ways that C++ allows the destructor has
// run before.
#include <cassert>
#include <cstdlib>
#include <exception>
static bool destroyed;
struct S { ~S() { destroyed = true; } };
static void f() { S s; throw 1; }
int main()
{
	std::set_terminate([] { assert(!destroyed); _Exit(0); });
	f();
}
