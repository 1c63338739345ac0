// expect: error kind=use-after-return line=7
#include <algorithm>

int main()
{
	const int &m = std::max(1, 2);
	return m - 2;
}
