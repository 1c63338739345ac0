// A single step chooses among two thousand million numbers.
#include <impasse.h>

int main(void)
{
	return impasse_choose(0x7fffffff) == -1;
}
