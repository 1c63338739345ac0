// expect: error kind=assertion line=7
// Static objects are destroyed at exit.
#include <cassert>

struct Watch {
	int n = 0;
	~Watch() { assert(n == 1); }
};

Watch watch;

int main()
{
	watch.n = 2;
	return 0;
}
