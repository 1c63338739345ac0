#include <cstdio>
static int f(int n) try {
	if (n) throw n;
	return 0;
} catch (int i) { return i * 2; }
int main() { printf("%d %d\n", f(0), f(4)); }
