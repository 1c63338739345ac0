#include <cstdio>
struct A { int x = 1, y = 2; };
int main() {
	A a;
	try { throw &A::y; } catch (int A::*p) { printf("%d\n", a.*p); }
	try { throw nullptr; } catch (int A::*p) { printf("%d\n", p == nullptr); }
}
