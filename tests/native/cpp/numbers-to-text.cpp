#include <charconv>
#include <cstdint>
#include <iostream>
#include <limits>
#include <random>

int main()
{
	char b[40];
	auto r = std::to_chars(b, b + 40, 123456, 16);
	*r.ptr = 0;
	std::cout << b << ' ';
	r = std::to_chars(b, b + 40, 0.1);
	*r.ptr = 0;
	std::cout << b << ' ';
	int x = 0;
	auto f = std::from_chars("77zz", "77zz" + 4, x);
	std::cout << x << (f.ec == std::errc()) << '\n';
	std::cout << std::numeric_limits<int>::max() << std::numeric_limits<double>::epsilon() << '\n';
	std::mt19937 g(5);
	for (int i = 0; i < 3; i++) std::cout << g() << ' ';
	std::minstd_rand m(3);
	std::cout << m() << '\n';
}
