#include <cstdio>
#include <system_error>
int main() {
	try { throw std::system_error(std::make_error_code(std::errc::permission_denied)); }
	catch (std::system_error &e) { printf("%d\n", e.code() == std::errc::permission_denied); }
}
