// expect: error kind=assertion
#include <cassert>
static bool unwound;
struct S { ~S() { assert(!unwound); } };
struct T { ~T() { unwound = true; } };
int main() { try { S s; T t; throw 1; } catch (...) {} }
