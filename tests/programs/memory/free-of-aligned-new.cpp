// expect: verified
// broken: error kind=invalid-free line=13 message="with free, but new allocated it"
// An object that is aligned to more than usual is deleted like any other.
#include <cstdlib>

struct alignas(64) Line { char bytes[64]; };

int main()
{
	Line *line = new Line;
	Line *lines = new Line[2];
#ifdef BROKEN
	std::free(line);
#else
	delete line;
#endif
	delete[] lines;
	return 0;
}
