#include <cstdio>
struct S { ~S() { puts("~S"); } };
static int boom() { throw 2; }
static void f(S, int n = boom()) { printf("%d\n", n); }
int main() { try { f(S()); } catch (int n) { printf("caught %d\n", n); } }
