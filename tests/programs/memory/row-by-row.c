// expect: verified
// A matrix is walked through as one object.
#include <assert.h>

int m[2][3];

int main(void)
{
	int n = 0;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 3; j++)
			m[i][j] = n++;
	assert(m[1][2] == 5);
	return 0;
}
