// expect: error kind=out-of-bounds line=7
#include <optional>

int main()
{
	std::optional<int> o;
	if (*o > 3)
		return 1;
	return 0;
}
