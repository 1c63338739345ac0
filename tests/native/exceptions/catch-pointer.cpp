#include <cstdio>
struct A { int a = 1; virtual ~A() {} };
struct X { int x = 9; };
struct B : X, A { int b = 2; };
static B object;
int main() {
	try { throw &object; } catch (A *a) { printf("%d %d\n", a->a, a == &object); }
	try { throw &object; } catch (X *x) { printf("%d\n", x->x); }
	try { throw &object; } catch (const void *p) { printf("%d\n", p == &object); }
	try { throw (const B *)&object; } catch (B *) { puts("wrong"); } catch (const A *) { puts("const"); }
}
