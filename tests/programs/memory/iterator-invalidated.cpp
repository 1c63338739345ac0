// expect: error kind=use-after-free line=13
// push_back moves the elements; the old iterator is dead.
#include <vector>

int main()
{
	std::vector<int> v;
	v.reserve(1);
	v.push_back(1);
	auto first = v.begin();
	v.push_back(2);
	v.push_back(3);
	return *first - 1;
}
