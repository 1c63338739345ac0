#include <cstdio>
struct M { M(int n) { if (n) throw n; puts("M"); } ~M() { puts("~M"); } };
struct B { B() { puts("B"); } ~B() { puts("~B"); } };
struct C : B {
	M a, b;
	C(int n) try : a(0), b(n) { puts("C"); if (n < 0) throw 'c'; }
	catch (int i) { printf("handler %d\n", i); }
	~C() { puts("~C"); }
};
int main() {
	try { C c(0); } catch (...) { puts("wrong"); }
	try { C c(3); } catch (int i) { printf("again %d\n", i); }
}
