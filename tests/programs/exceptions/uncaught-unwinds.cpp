// expect: error kind=assertion
// flags: --uncaught unwind
#include <cassert>
struct S { ~S() { assert(false); } };
static void f() { S s; throw 1; }
int main() { f(); }
