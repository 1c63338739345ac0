// expect: error kind=use-after-free line=8
// The iterator to the erased node is used to go on.
#include <map>

int main()
{
	std::map<int, int> m{{1, 1}, {2, 2}, {3, 3}};
	for (auto i = m.begin(); i != m.end(); ++i)
		if (i->first == 2)
			m.erase(i);
	return 0;
}
