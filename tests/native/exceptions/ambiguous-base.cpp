#include <cstdio>
struct V { int v = 1; };
struct A : V {};
struct B : V {};
struct C : A, B {};
int main() {
	try { throw C(); } catch (V &) { puts("wrong"); } catch (A &) { puts("A"); }
}
