#include <cstdio>
#include <exception>
#include <stdexcept>
static void show(const std::exception &e, int depth = 0) {
	printf("%d %s\n", depth, e.what());
	try { std::rethrow_if_nested(e); } catch (const std::exception &inner) { show(inner, depth + 1); }
}
int main() {
	try {
		try {
			try { throw std::runtime_error("disk"); }
			catch (...) { std::throw_with_nested(std::logic_error("file")); }
		} catch (...) { std::throw_with_nested(std::runtime_error("document")); }
	} catch (const std::exception &e) { show(e); }
}
