// expect: verified
// clang: -std=c++14
static void f() throw(int, char) { throw 1; }
int main() { try { f(); } catch (int) {} }
