#include <cstdio>
struct A {};
int main() {
	try { throw nullptr; } catch (A *a) { printf("%d\n", a == nullptr); }
	try { throw nullptr; } catch (int *) { puts("int *"); }
	try { throw (A *)nullptr; } catch (void *p) { printf("%d\n", p == nullptr); }
}
