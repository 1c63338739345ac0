#include <cstdio>
static void hello() noexcept { puts("hello"); }
int main() {
	try { throw &hello; } catch (void (*f)()) { f(); }
	try { throw &hello; } catch (void (*f)() noexcept) { f(); }
}
