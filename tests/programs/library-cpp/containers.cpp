// expect: verified
#include <algorithm>
#include <cassert>
#include <list>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
	std::unordered_map<std::string, int> count;
	std::istringstream in("a b a c a");
	for (std::string w; in >> w;)
		count[w]++;
	assert(count["a"] == 3 && count.size() == 3);
	std::list<int> l{3, 1, 2};
	l.sort();
	std::set<int> s(l.begin(), l.end());
	std::vector<int> v(s.begin(), s.end());
	assert(std::is_sorted(v.begin(), v.end()) && v.back() == 3);
	return 0;
}
