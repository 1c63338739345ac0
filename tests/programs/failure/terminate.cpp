// expect: error kind=terminate line=6
#include <exception>

int main()
{
	std::terminate();
}
