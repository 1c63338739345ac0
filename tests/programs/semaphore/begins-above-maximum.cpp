// expect: verified
// broken: error kind=invalid-call line=13 message="above its maximum"
// A semaphore begins with at most as much as it may hold.
#include <semaphore>

int main()
{
#ifdef BROKEN
	int n = 3;
#else
	int n = 2;
#endif
	std::counting_semaphore<2> s(n);
	s.acquire();
	return 0;
}
