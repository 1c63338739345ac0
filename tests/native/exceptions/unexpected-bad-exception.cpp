// clang: -std=c++14
#include <cstdio>
#include <exception>
static void translate() { throw 'c'; }
static void f() throw(std::bad_exception) { throw 1; }
int main() {
	std::set_unexpected(translate);
	try { f(); } catch (std::bad_exception &) { puts("bad exception"); }
}
