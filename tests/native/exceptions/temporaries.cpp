#include <cstdio>
struct S { int n; S(int n) : n(n) { printf("+%d\n", n); if (n == 3) throw n; } ~S() { printf("-%d\n", n); } };
static int f(const S &, const S &, const S &) { return 0; }
int main() { try { f(S(1), S(2), S(3)); } catch (int) { puts("caught"); } }
