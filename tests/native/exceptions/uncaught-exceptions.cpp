#include <cstdio>
#include <exception>
struct Scope {
	int before = std::uncaught_exceptions();
	~Scope() { puts(std::uncaught_exceptions() > before ? "failed" : "left"); }
};
int main() {
	{ Scope s; }
	try { Scope s; throw 1; } catch (...) { Scope s; printf("%d\n", std::uncaught_exceptions()); }
}
