// expect: verified
// broken: error kind=invalid-free line=14 message="with realloc, but new[] allocated it"
// Only what malloc and its like gave can be made larger.
#include <cstdlib>

int main()
{
#ifdef BROKEN
	char *p = new char[4];
#else
	char *p = static_cast<char *>(std::malloc(4));
#endif

	char *larger = static_cast<char *>(std::realloc(p, 8));
	std::free(larger ? larger : p);
	return 0;
}
