#include <cstdio>
static int tries;
static int init() { if (++tries < 3) throw tries; return tries * 10; }
static int get() { static int n = init(); return n; }
int main() {
	for (int i = 0; i < 4; i++)
		try { printf("%d\n", get()); } catch (int n) { printf("failed %d\n", n); }
}
