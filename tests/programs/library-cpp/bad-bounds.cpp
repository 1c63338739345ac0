// expect: verified
// broken: error kind=invalid-call line=12
// The upper bound of std::clamp is not below the lower one.
#include <algorithm>

int main()
{
	int upper = 3;
#ifdef BROKEN
	upper = 0;
#endif
	return std::clamp(5, 1, upper) - 3;
}
