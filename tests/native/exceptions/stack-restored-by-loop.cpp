#include <cstdio>
static int f(int n) {
	int sum = 0;
	for (int i = 1; i <= n; i++) {
		try { int a[i]; a[i - 1] = i; if (i % 2) throw a[i - 1]; sum += a[i - 1]; } catch (int v) { sum += 100 * v; }
	}
	return sum;
}
int main() { printf("%d\n", f(5)); }
