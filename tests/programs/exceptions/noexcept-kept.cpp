// expect: verified
static void f(int n) { if (n) throw 1; }
static void g(int n) noexcept { try { f(n); } catch (int) {} }
int main() { g(1); }
