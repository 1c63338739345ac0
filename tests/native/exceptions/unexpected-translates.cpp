// clang: -std=c++14
#include <cstdio>
#include <exception>
struct A {};
static void translate() { puts("unexpected"); throw A(); }
static void f() throw(A) { throw 1; }
int main() {
	std::set_unexpected(translate);
	try { f(); } catch (A &) { puts("A"); }
}
