// expect: verified
// The right input ends the loop. Inputs end no section, but the program does something: it reads
// them.
#include <impasse.h>

int main(void)
{
	while (!impasse_choose(2));
	return 0;
}
