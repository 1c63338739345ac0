#include <cstdio>
static void hello() { puts("hello"); }
int main() {
	try { throw hello; } catch (void (*f)()) { f(); }
	try { throw &hello; } catch (void *) { puts("wrong"); } catch (void (*f)()) { f(); }
}
