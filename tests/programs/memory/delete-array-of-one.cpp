// expect: verified
// broken: error kind=invalid-free message="with delete[], but new allocated it"
// A std::unique_ptr of an array has a deleter for arrays.
#include <memory>

int main()
{
#ifdef BROKEN
	std::unique_ptr<int[]> p(new int(1));
#else
	std::unique_ptr<int[]> p(new int[1]);
#endif
	return 0;
}
