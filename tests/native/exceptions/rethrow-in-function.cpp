#include <cstdio>
#include <stdexcept>
static void classify() {
	try { throw; }
	catch (int) { puts("int"); }
	catch (std::exception &e) { puts(e.what()); }
	catch (...) { puts("other"); }
}
int main() {
	try { throw 1; } catch (...) { classify(); }
	try { throw std::runtime_error("runtime"); } catch (...) { classify(); }
	try { throw 1.0; } catch (...) { classify(); }
}
