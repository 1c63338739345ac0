// expect: verified
// broken: error kind=use-after-free line=11
// With -DBROKEN: The iterator to the erased node is used to go on.
#include <cassert>
#include <map>

int main()
{
	std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}};
#ifdef BROKEN
	for (auto i = m.begin(); i != m.end(); ++i)
		if (i->first == 2)
			m.erase(i);
#else
	for (auto i = m.begin(); i != m.end();)
		i = i->first == 2 ? m.erase(i) : std::next(i);
	assert(m.size() == 2);
#endif
	return 0;
}
