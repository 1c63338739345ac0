#include <cstdio>
int main() {
	try {
		try { throw 1; } catch (int &i) { i = 2; throw; }
	} catch (int i) { printf("%d\n", i); }
}
