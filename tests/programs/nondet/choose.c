// expect: error kind=assertion line=10
#include <assert.h>
#include <impasse.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += impasse_choose(3);
	assert(sum != 6);
	return 0;
}
