#include <cstdio>
#include <cstdlib>
#include <new>
struct A {
	A() { throw 1; }
	static void *operator new(size_t n) { puts("new"); return malloc(n); }
	static void operator delete(void *p) { puts("delete"); free(p); }
};
int main() { try { new A; } catch (int) { puts("caught"); } }
