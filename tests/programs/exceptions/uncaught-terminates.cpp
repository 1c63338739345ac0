// expect: error kind=uncaught-exception
// flags: --uncaught terminate
#include <cassert>
struct S { ~S() { assert(false); } };
static void f() { S s; throw 1; }
int main() { f(); }
