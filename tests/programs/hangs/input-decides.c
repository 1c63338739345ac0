// expect: verified
// Whatever is entered, the section ends: a wrong entry is not asked for again.
#include <impasse.h>
#include <impasse/section.h>

int main(void)
{
	int section;
	for (;;) {
		impasse_section_begin(&section);
		int answer = impasse_choose(3);
		if (answer == 2)
			answer = 0;
		impasse_section_end(&section);
	}
}
