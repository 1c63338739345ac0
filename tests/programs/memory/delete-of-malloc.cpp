// expect: verified
// broken: error kind=invalid-free line=12 message="with delete, but malloc allocated it"
// The C library's functions allocate with malloc.
#include <cstdlib>
#include <cstring>

int main()
{
	char *text = strdup("text");
#ifdef BROKEN
	if (text)
		delete text;
#else
	std::free(text);
#endif
	return 0;
}
