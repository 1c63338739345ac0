#include <cstdio>
static void f() noexcept {}
static void g() {}
template <class F> static void call(F f) noexcept(noexcept(f())) { f(); }
int main() {
	printf("%d %d\n", noexcept(f()), noexcept(g()));
	try { call([] { throw 1; }); } catch (int) { puts("passed"); }
}
