#include <cstdio>
struct A { int n; A(int n) : n(n) {} A(const A &a) : n(a.n + 100) {} virtual int f() const { return 1; } };
struct B : A { B(int n) : A(n) {} int f() const override { return 2; } };
int main() {
	try { throw B(1); } catch (A a) { printf("%d %d\n", a.n, a.f()); }
	try { throw B(2); } catch (const A &a) { printf("%d %d\n", a.n, a.f()); }
}
