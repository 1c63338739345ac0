// expect: verified
// Both threads access it in sections.
#define SECTION
#include "section-and-atomic.c"
