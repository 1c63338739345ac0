#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <vector>

int main()
{
	std::vector<int> v(12);
	std::iota(v.begin(), v.end(), -3);
	std::rotate(v.begin(), v.begin() + 4, v.end());
	std::ostream_iterator<int> out(std::cout, " ");
	std::copy(v.begin(), v.end(), out);
	std::stable_partition(v.begin(), v.end(), [](int x) { return x % 2; });
	std::copy(v.begin(), v.end(), out);
	std::sort(v.begin(), v.end(), std::greater<>());
	std::nth_element(v.begin(), v.begin() + 3, v.end());
	std::cout << v[3] << ' ' << std::accumulate(v.begin(), v.end(), 0) << ' ' << std::count_if(v.begin(), v.end(), [](int x) { return x > 2; });
	std::sort(v.begin(), v.end());
	std::cout << ' ' << std::binary_search(v.begin(), v.end(), 5) << *std::lower_bound(v.begin(), v.end(), 2) << *std::max_element(v.begin(), v.end());
	std::vector<int> w{1, 1, 2, 3, 3, 3};
	w.erase(std::unique(w.begin(), w.end()), w.end());
	std::vector<int> u, x{2, 4};
	std::set_union(w.begin(), w.end(), x.begin(), x.end(), std::back_inserter(u));
	std::cout << ' ' << w.size() << u.size() << std::inner_product(w.begin(), w.end(), w.begin(), 0) << '\n';
	int count = 0;
	std::vector<int> p{1, 2, 3};
	do count += p[0]; while (std::next_permutation(p.begin(), p.end()));
	std::make_heap(v.begin(), v.end());
	std::pop_heap(v.begin(), v.end());
	std::cout << count << ' ' << v.back() << ' ' << std::clamp(15, 0, 10) << std::gcd(12, 18) << std::lcm(4, 6) << std::midpoint(1, 9) << '\n';
	std::vector<int> big(200);
	std::generate(big.begin(), big.end(), [n = 17u]() mutable { n = n * 1664525 + 1013904223; return static_cast<int>(n >> 20); });
	std::stable_sort(big.begin(), big.end());
	std::cout << std::is_sorted(big.begin(), big.end()) << big[0] << ' ' << big[199] << '\n';
}
