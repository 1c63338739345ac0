// expect: verified
// broken: error kind=assertion line=12
#include <assert.h>
#include <impasse.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += impasse_choose(3);
#ifdef BROKEN
	assert(sum != 6);
#else
	impasse_assume(sum != 6);
	assert(sum <= 5 && sum >= 0);
#endif
	return 0;
}
