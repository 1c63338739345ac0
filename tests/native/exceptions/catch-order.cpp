#include <cstdio>
struct A { virtual ~A() {} };
struct B : A {};
struct C : B {};
template <class T> static void test() {
	try { throw T(); }
	catch (C &) { puts("C"); }
	catch (B &) { puts("B"); }
	catch (A &) { puts("A"); }
}
int main() { test<A>(); test<B>(); test<C>(); }
