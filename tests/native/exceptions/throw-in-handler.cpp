#include <cstdio>
#include <exception>
struct T { const char *n; T(const char *n) : n(n) { printf("+%s\n", n); } T(const T &t) : n(t.n) {} ~T() { printf("-%s\n", n); } };
int main() {
	try {
		try { throw T("one"); }
		catch (T &) { throw T("two"); }
	} catch (T &t) { printf("caught %s\n", t.n); }
}
