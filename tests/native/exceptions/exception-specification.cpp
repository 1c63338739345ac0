// clang: -std=c++14
#include <cstdio>
#include <exception>
struct A {};
struct B : A {};
static void f(int n) throw(A, int) { if (n == 1) throw B(); if (n == 2) throw 5; }
int main() {
	f(0);
	try { f(1); } catch (A &) { puts("A"); }
	try { f(2); } catch (int) { puts("int"); }
}
