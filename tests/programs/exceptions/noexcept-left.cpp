// expect: error kind=terminate
static void f(int n) { if (n) throw 1; }
static void g(int n) noexcept { f(n); }
int main() { try { g(1); } catch (int) {} }
