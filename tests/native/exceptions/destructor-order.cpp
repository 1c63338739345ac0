#include <cstdio>
struct S { int n; S(int n) : n(n) {} ~S() { printf("~%d\n", n); } };
static void g(int n) { S s(n * 10); if (n == 0) throw 1; S t(n * 10 + 1); g(n - 1); }
int main() { try { S s(99); g(2); } catch (int) { puts("caught"); } }
