#include <bitset>
#include <chrono>
#include <complex>
#include <iostream>
#include <ratio>
#include <valarray>

int main()
{
	std::bitset<10> b(0b1011);
	b.set(9).flip(0);
	std::cout << b << b.count() << b.test(1) << b.to_ulong() << (b << 1) << '\n';
	using namespace std::chrono;
	auto t = 90min + 30s;
	std::cout << duration_cast<hours>(t).count() << ' ' << duration_cast<milliseconds>(t).count() << '\n';
	std::complex<double> z(1, 2);
	std::cout << z * z << std::norm(z) << '\n';
	std::valarray<int> v{1, 2, 3};
	v *= 2;
	std::cout << v.sum() << std::ratio_add<std::ratio<1, 3>, std::ratio<1, 6>>::den << '\n';
}
