// expect: verified
#include <cassert>
#include <map>

int main()
{
	std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}};
	for (auto i = m.begin(); i != m.end();)
		i = i->first == 2 ? m.erase(i) : std::next(i);
	assert(m.size() == 2);
	return 0;
}
