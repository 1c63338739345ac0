#include <cstdio>
int main() {
	auto f = [] { return 7; };
	try { throw f; } catch (decltype(f) &g) { printf("%d\n", g()); }
}
