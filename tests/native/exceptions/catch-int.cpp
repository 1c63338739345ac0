#include <cstdio>
int main() {
	try { throw 5; } catch (int i) { printf("int %d\n", i); }
}
