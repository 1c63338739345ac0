// expect: error kind=assertion line=6
// Static objects are constructed before main.
#include <cassert>

struct Early {
	explicit Early(int n) { assert(n < 2); }
};

Early one(1), two(2);

int main()
{
	return 0;
}
