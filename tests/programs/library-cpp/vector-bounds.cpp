// expect: error kind=out-of-bounds line=8
#include <vector>

int main()
{
	std::vector<int> v(3, 1);
	v.shrink_to_fit();
	return v[3];
}
