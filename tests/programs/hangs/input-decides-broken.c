// expect: error kind=hang line=13 message="its section on section"
// There are inputs, the same wrong one each time, with which the section does not end: an input is
// nobody who wants it to end, as a scheduler is.
#include <impasse.h>
#include <impasse/section.h>

int main(void)
{
	int section;
	impasse_section_begin(&section);
	int answer;
	do {
		answer = impasse_choose(3);
	} while (answer == 2);
	impasse_section_end(&section);
	return 0;
}
