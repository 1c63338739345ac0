// expect: error kind=terminate
// clang: -std=c++14
static void f() throw() { throw 1; }
int main() { try { f(); } catch (...) {} }
