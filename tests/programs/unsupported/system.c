// expect: inconclusive reason="starting another program" line=6
#include <stdlib.h>

int main(void)
{
	return system("true");
}
