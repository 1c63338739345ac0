#include <cstdio>
static void clean(int *p) { printf("clean %d\n", *p); }
static void f() { __attribute__((cleanup(clean))) int n = 5; throw n + 1; }
int main() { try { f(); } catch (int i) { printf("%d\n", i); } }
