#include <cstdio>
#include <cstdlib>
#include <exception>
static void handler() {
	try { std::rethrow_exception(std::current_exception()); } catch (int i) { printf("int %d\n", i); }
	fflush(stdout);
	_Exit(0);
}
static void f() noexcept { throw 6; }
int main() { std::set_terminate(handler); f(); }
