#include <cstdio>
#include <exception>
#include <stdexcept>
int main() {
	std::exception_ptr p;
	try { throw std::runtime_error("kept"); } catch (...) { p = std::current_exception(); }
	for (int i = 0; i < 2; i++)
		try { std::rethrow_exception(p); } catch (std::exception &e) { puts(e.what()); }
	std::exception_ptr q = p;
	printf("%d %d\n", p == q, p != nullptr);
	auto r = std::make_exception_ptr(42);
	try { std::rethrow_exception(r); } catch (int i) { printf("%d\n", i); }
}
