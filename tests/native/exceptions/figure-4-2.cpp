// The program that explains exceptions in the thesis on DIVINE: clean-up in foo, then the second
// handler of main.
#include <iostream>
#include <stdexcept>
#include <vector>
int max(std::vector<int> &vec)
{
	if (vec.empty())
		throw std::invalid_argument("empty vector");
	int greatest = vec[0];
	for (int n : vec)
		greatest = n > greatest ? n : greatest;
	return greatest;
}
void foo()
{
	std::vector<int> a = {1, 2, 3};
	std::vector<int> b = {};
	auto x = max(b);
	std::cout << x << "\n";
}
int main()
{
	try {
		foo();
	} catch (std::range_error &) {
		std::cout << "range error\n";
	} catch (std::exception &) {
		std::cout << "other exception\n";
	}
}
