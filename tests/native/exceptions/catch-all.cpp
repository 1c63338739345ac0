#include <cstdio>
struct S { S() { puts("S"); } ~S() { puts("~S"); } };
int main() {
	try { S s; throw 'c'; } catch (...) { puts("all"); }
}
