#include <cstdio>
struct S { ~S() { puts("~S"); } };
int main() {
	for (int i = 0; i < 4; i++) {
		S s;
		try { if (i == 1) continue; if (i == 3) break; throw i; } catch (int n) { printf("%d\n", n); if (n == 2) continue; }
		puts("end");
	}
}
