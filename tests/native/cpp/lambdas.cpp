#include <functional>
#include <iostream>
#include <vector>

int main()
{
	int n = 1;
	auto add = [n](int x) mutable { return n += x; };
	auto by = [&n](auto x) { n *= x; return n; };
	std::cout << add(2) << add(3) << by(4) << by(2) << n << '\n';
	std::function<int(int)> fact = [&](int k) { return k < 2 ? 1 : k * fact(k - 1); };
	std::vector<std::function<int()>> v;
	for (int i = 0; i < 3; i++) v.push_back([i, &v] { return i * 10 + (int)v.size(); });
	std::cout << fact(6);
	for (auto &f : v) std::cout << ' ' << f();
	auto compose = [](auto f, auto g) { return [=](auto x) { return f(g(x)); }; };
	std::cout << ' ' << compose([](int x) { return x + 1; }, [](int x) { return x * 2; })(5);
	int (*plain)(int) = [](int x) { return -x; };
	std::cout << plain(3) << std::bind([](int a, int b) { return a - b; }, std::placeholders::_2, 1)(0, 9);
	struct Counter { int c = 0; auto next() { return [this] { return ++c; }; } } counter;
	counter.next()();
	std::cout << counter.next()() << std::invoke(&Counter::c, counter) << '\n';
}
