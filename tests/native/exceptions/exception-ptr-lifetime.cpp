#include <cstdio>
#include <exception>
struct T { T() { puts("+"); } T(const T &) { puts("copy"); } ~T() { puts("-"); } };
int main() {
	{
		std::exception_ptr p;
		try { throw T(); } catch (T &) { p = std::current_exception(); puts("kept"); }
		puts("after");
	}
	puts("gone");
}
