#include <cstdio>
struct M { ~M() { puts("~M"); } };
struct A { M m; ~A() noexcept(false) { puts("~A"); throw 1; } };
int main() {
	try { A a; puts("body"); } catch (int) { puts("caught"); }
	A *p = new A;
	try { delete p; } catch (int) { puts("caught"); }
}
