#include <cstdio>
#include <stdexcept>
struct Mixin { int code = 3; virtual ~Mixin() {} };
struct E : std::runtime_error, Mixin { E() : runtime_error("both") {} };
int main() {
	try { throw E(); } catch (Mixin &m) { printf("%d\n", m.code); }
	try { throw E(); } catch (std::exception &e) { puts(e.what()); }
	try { throw E(); } catch (Mixin &m) { puts(dynamic_cast<std::exception &>(m).what()); }
}
