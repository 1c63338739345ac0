#include <cstdio>
#include <exception>
int main() {
	printf("%d\n", std::current_exception() == nullptr);
	try { throw 1; } catch (...) { printf("%d\n", std::current_exception() != nullptr); }
	printf("%d\n", std::current_exception() == nullptr);
}
