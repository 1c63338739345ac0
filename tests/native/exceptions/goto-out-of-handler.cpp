#include <cstdio>
int main() {
	int n = 0;
again:
	try { throw n; } catch (int i) { printf("%d\n", i); n = i + 1; if (n < 3) goto again; }
	puts("done");
}
