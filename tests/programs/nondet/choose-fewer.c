// expect: verified
#include <assert.h>
#include <impasse.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += impasse_choose(3);
	impasse_assume(sum != 6);
	assert(sum <= 5 && sum >= 0);
	return 0;
}
