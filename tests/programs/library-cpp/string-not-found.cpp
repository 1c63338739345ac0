// expect: verified
// most-states: 20
// A search in a string that finds nothing shows no addresses, so their reuse matters to nothing.
#include <string>

int main()
{
	for (int round = 0; round < 4; round++)
	{
		std::string text(40, 'a');
		if (text.find('b') != std::string::npos || text.rfind('b') != std::string::npos)
			return 1;
		std::string other = text + text;
		if (other.find_first_of("xy") != std::string::npos)
			return 1;
	}
}
