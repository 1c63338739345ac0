// expect: verified
// por-off: skip
#include <cassert>
#include <thread>
static int f(int n) { if (!n) throw 7; return f(n - 1) + 1; }
static void work() { try { f(5); } catch (int i) { assert(i == 7); } }
int main() { std::thread t(work), u(work); t.join(); u.join(); }
