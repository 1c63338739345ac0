#include <compare>
#include <iostream>

class Fraction {
	long n, d;
	static long gcd(long a, long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }

public:
	Fraction(long n, long d = 1) : n(n / gcd(n, d)), d(d / gcd(n, d)) {}
	Fraction operator+(const Fraction &o) const { return {n * o.d + o.n * d, d * o.d}; }
	Fraction operator*(const Fraction &o) const { return {n * o.n, d * o.d}; }
	Fraction operator-() const { return {-n, d}; }
	Fraction &operator+=(const Fraction &o) { return *this = *this + o; }
	auto operator<=>(const Fraction &o) const { return n * o.d <=> o.n * d; }
	bool operator==(const Fraction &o) const = default;
	explicit operator double() const { return double(n) / d; }
	friend std::ostream &operator<<(std::ostream &s, const Fraction &f) { return s << f.n << '/' << f.d; }
	long operator[](int i) const { return i ? d : n; }
	long operator()(long x) const { return n * x / d; }
};

static Fraction operator""_f(unsigned long long n) { return Fraction(static_cast<long>(n)); }

int main()
{
	Fraction a(1, 2), b(3, 4);
	a += b * 2_f;
	std::cout << a << ' ' << -b << ' ' << (a > b) << (a == Fraction(4, 2)) << static_cast<double>(b) << a[0] << b(8) << '\n';
}
