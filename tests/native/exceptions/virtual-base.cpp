#include <cstdio>
struct V { int v = 1; virtual ~V() {} };
struct A : virtual V { int a = 2; };
struct B : virtual V { int b = 3; };
struct C : A, B { int c = 4; };
int main() {
	try { throw C(); } catch (V &v) { printf("%d\n", v.v); }
	try { throw C(); } catch (B &b) { printf("%d %d\n", b.b, b.v); }
	try { throw C(); } catch (V v) { printf("%d\n", v.v); }
	C c;
	try { throw &c; } catch (V *v) { printf("%d\n", v == &c); }
}
