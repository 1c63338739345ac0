#include <cstdio>
#include <array>
int main() {
	std::array<int, 300> a{};
	a[299] = 7;
	try { throw a; } catch (std::array<int, 300> &b) { printf("%d\n", b[299]); }
}
