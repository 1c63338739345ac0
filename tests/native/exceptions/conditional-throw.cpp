#include <cstdio>
static int f(int n) { return n > 0 ? n : throw n; }
int main() { try { printf("%d\n", f(3)); f(-2); } catch (int n) { printf("%d\n", n); } }
