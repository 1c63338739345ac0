// expect: verified
// A loop that any number of choices can prolong: its states repeat.
#include <impasse.h>

int main(void)
{
	while (impasse_choose(2))
		;
	return 0;
}
