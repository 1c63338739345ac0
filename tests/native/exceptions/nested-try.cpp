#include <cstdio>
int main() {
	try {
		try { throw 1; }
		catch (char) { puts("char"); }
		puts("not here");
	} catch (int i) {
		printf("int %d\n", i);
		try { throw 'x'; } catch (char c) { printf("char %c\n", c); }
		printf("still %d\n", i);
	}
}
