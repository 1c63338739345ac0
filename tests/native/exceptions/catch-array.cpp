#include <cstdio>
int main() {
	static const char text[] = "text";
	try { throw text; } catch (const char *s) { puts(s); }
	try { throw "literal"; } catch (const char *s) { puts(s); }
}
