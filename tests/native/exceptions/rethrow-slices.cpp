#include <cstdio>
struct A { virtual const char *name() const { return "A"; } };
struct B : A { const char *name() const override { return "B"; } };
int main() {
	try { try { throw B(); } catch (A &a) { throw a; } } catch (A &a) { puts(a.name()); }
	try { try { throw B(); } catch (A &a) { throw; } } catch (A &a) { puts(a.name()); }
}
