// expect: verified
#include <memory>
static void f() { throw 1; }
static void g() { auto p = std::make_unique<int>(3); f(); }
int main() { try { g(); } catch (int) {} }
