// expect: error kind=uncaught-exception line=7
#include <vector>

int main()
{
	std::vector<int> v{1, 2};
	return v.at(2);
}
