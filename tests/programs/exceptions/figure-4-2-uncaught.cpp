// expect: error kind=uncaught-exception
#include <stdexcept>
#include <vector>
static int max(std::vector<int> &vec)
{
	if (vec.empty())
		throw std::invalid_argument("empty vector");
	return vec[0];
}
static void foo()
{
	std::vector<int> a = {1, 2, 3};
	std::vector<int> b = {};
	max(b);
}
int main()
{
	try {
		foo();
	} catch (std::range_error &) {
	}
}
