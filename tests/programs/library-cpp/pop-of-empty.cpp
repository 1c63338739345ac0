// expect: verified
// broken: error kind=out-of-bounds line=13 message="pop_back called on an empty vector"
// Nothing is accessed, but the size of the vector wraps around.
#include <vector>

int main()
{
	std::vector<int> v;
	v.push_back(1);
#ifdef BROKEN
	v.pop_back();
#endif
	v.pop_back();
	return static_cast<int>(v.size());
}
