#include <cstdio>
static int f(int n) { try { if (n % 3 == 0) throw n; return 1; } catch (int i) { return i; } }
int main() { int sum = 0; for (int i = 0; i < 30; i++) sum += f(i); printf("%d\n", sum); }
