// expect: verified
#include <stdexcept>
#include <vector>

int main()
{
	std::vector<int> v{1, 2};
	try {
		return v.at(2);
	} catch (const std::out_of_range &) {
		return 0;
	}
}
