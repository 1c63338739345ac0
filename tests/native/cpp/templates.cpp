#include <concepts>
#include <iostream>
#include <tuple>
#include <type_traits>

template <unsigned N> struct Fib { static constexpr long value = Fib<N - 1>::value + Fib<N - 2>::value; };
template <> struct Fib<0> { static constexpr long value = 0; };
template <> struct Fib<1> { static constexpr long value = 1; };

template <typename... T> auto sum(T... t) { return (t + ... + 0); }
template <typename T> concept Number = std::is_arithmetic_v<T>;
template <Number T> const char *kind(T) { return "number"; }
template <typename T> const char *kind(T) { return "other"; }

template <typename Derived> struct Shape {
	double twice() const { return 2 * static_cast<const Derived *>(this)->area(); }
};
struct Square : Shape<Square> { double s = 3; double area() const { return s * s; } };

consteval int cube(int x) { return x * x * x; }

int main()
{
	std::cout << Fib<30>::value << ' ' << sum(1, 2.5, 'a') << ' ' << kind(1) << kind("x") << ' ' << Square{}.twice() << cube(3) << '\n';
	auto t = std::make_tuple(1, "two", 3.5);
	std::apply([](auto... x) { ((std::cout << x << ' '), ...); }, t);
	auto [a, b, c] = t;
	std::cout << a << b << c << std::tuple_size_v<decltype(t)> << '\n';
	if constexpr (sizeof(long) == 8) std::cout << "64\n";
}
