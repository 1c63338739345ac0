// expect: verified
// broken: error kind=hang line=16 message="its section on section"
// Whatever is entered, the section ends: a wrong entry is not asked for again. With -DBROKEN: There
// are inputs, the same wrong one each time, with which the section does not end: inputs are
// adversarial, the scheduler is fair.
#include <impasse.h>
#include <impasse/section.h>

int main(void)
{
	int section;
#ifdef BROKEN
	impasse_section_begin(&section);
	int answer;
	do {
		answer = impasse_choose(3);
	} while (answer == 2);
	impasse_section_end(&section);
	return 0;
#else
	for (;;) {
		impasse_section_begin(&section);
		int answer = impasse_choose(3);
		if (answer == 2)
			answer = 0;
		impasse_section_end(&section);
	}
#endif
}
