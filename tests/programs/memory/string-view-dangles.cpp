// expect: error kind=use-after-free|use-after-return line=12
// clang: -Wno-dangling-gsl
// A view of a temporary string.
#include <string>
#include <string_view>

static std::string make() { return "a string that is too long for the small buffer"; }

int main()
{
	std::string_view v = make();
	return v[3] == 't' ? 0 : 1;
}
