// expect: verified
// broken: error kind=out-of-bounds line=15
// What a span leaves out is beyond its bounds, though the array goes on.
#include <span>

static int all[4];

int main()
{
	std::span<int> part(all, 2);
	int last = 1;
#ifdef BROKEN
	last = 2;
#endif
	return part[last];
}
