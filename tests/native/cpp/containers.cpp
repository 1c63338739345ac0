#include <array>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <unordered_map>
#include <vector>

int main()
{
	std::vector<int> v{5, 3, 8};
	v.insert(v.begin() + 1, 4);
	v.erase(v.end() - 1);
	v.emplace_back(9);
	for (int x : v)
		std::cout << x << ' ';
	std::deque<int> d(3, 7);
	d.push_front(1);
	d.pop_back();
	std::list<int> l{3, 1, 2};
	l.sort();
	l.reverse();
	l.splice(l.begin(), std::list<int>{10, 11});
	for (int x : d) std::cout << x << ',';
	for (int x : l) std::cout << x << ';';
	std::map<std::string, int> m{{"b", 2}, {"a", 1}};
	m["c"] = 3;
	m.erase("b");
	for (auto &[k, n] : m) std::cout << k << n;
	std::set<int, std::greater<>> s{1, 5, 3, 5};
	for (int x : s) std::cout << x;
	std::unordered_map<int, int> u;
	for (int i = 0; i < 100; i++) u[i * i % 17]++;
	std::cout << ' ' << u.size() << ' ' << u[4] << ' ' << u.count(3) << '\n';
	std::priority_queue<int> q;
	for (int x : {3, 9, 4}) q.push(x);
	std::stack<int> t;
	t.push(1); t.push(2);
	std::array<int, 3> a{1, 2, 3};
	std::cout << q.top() << t.top() << a.size() << a.back() << m.contains("a") << '\n';
	std::multimap<int, char> mm{{1, 'x'}, {1, 'y'}, {2, 'z'}};
	std::cout << mm.count(1) << mm.lower_bound(2)->second << '\n';
}
