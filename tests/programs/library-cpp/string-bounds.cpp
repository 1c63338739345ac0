// expect: error kind=out-of-bounds|undefined-value line=8
#include <string>

int main()
{
	std::string s(40, 'x');
	const char *p = s.c_str();
	return p[48] == 'y';
}
