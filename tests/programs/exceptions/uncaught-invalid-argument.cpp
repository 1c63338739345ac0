// expect: error kind=uncaught-exception line=7
#include <stdexcept>

static int parse(int n)
{
	if (n == 0)
		throw std::invalid_argument("zero");
	return 1 / n;
}

int main()
{
	return parse(0);
}
