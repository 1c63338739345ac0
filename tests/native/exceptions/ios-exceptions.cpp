#include <cstdio>
#include <sstream>
int main() {
	std::istringstream s("x");
	s.exceptions(std::ios::failbit);
	int n;
	try { s >> n; } catch (std::ios_base::failure &) { puts("failure"); }
}
