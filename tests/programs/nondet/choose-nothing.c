// expect: error kind=invalid-call line=7
#include <impasse.h>

int main(void)
{
	int n = 0;
	return impasse_choose(n);
}
