// expect: error kind=assertion line=10
#include <assert.h>
#include <impasse.h>

int main(void)
{
	int n = 0;
	while (n < 4 && impasse_choose(2))
		n++;
	assert(n != 3);
	return 0;
}
