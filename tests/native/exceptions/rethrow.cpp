#include <cstdio>
#include <stdexcept>
int main() {
	try {
		try { throw std::out_of_range("first"); }
		catch (std::logic_error &e) { printf("inner %s\n", e.what()); throw; }
	} catch (std::out_of_range &e) { printf("outer %s\n", e.what()); }
}
