#include <algorithm>
#include <iostream>
#include <ranges>
#include <string>
#include <vector>

int main()
{
	namespace views = std::views;
	std::vector<int> v{1, 2, 3, 4, 5, 6, 7, 8};
	for (int x : v | views::filter([](int x) { return x % 2 == 0; }) | views::transform([](int x) { return x * x; }) | views::take(3)) std::cout << x << ' ';
	for (int x : views::iota(10, 14) | views::reverse) std::cout << x << ' ';
	std::ranges::sort(v, std::greater{});
	std::cout << v[0] << std::ranges::count(v, 3) << *std::ranges::find(v, 4) << std::ranges::max(v);
	std::string s = "a-b-c";
	for (auto part : s | views::split('-')) std::cout << std::string_view(part);
	for (auto [k, x] : std::vector<std::pair<int, char>>{{1, 'x'}, {2, 'y'}}) std::cout << k << x;
	std::cout << '\n' << std::ranges::equal(v | views::drop(6), std::vector{2, 1}) << '\n';
}
