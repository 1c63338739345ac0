// expect: verified
// flags: --uncaught unwind
#include <cassert>
#include <cstdlib>
#include <exception>
struct S { ~S() {} };
static void f() { S s; throw 6; }
int main()
{
	std::set_terminate([] {
		try { std::rethrow_exception(std::current_exception()); } catch (int i) { assert(i == 6); _Exit(0); }
	});
	f();
}
