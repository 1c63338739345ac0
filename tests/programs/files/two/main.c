// expect: error kind=assertion line=9
// A program of two files.
#include <assert.h>
#include "shape.h"

int main(void)
{
	struct shape s = {2, 3};
	assert(area(&s) == 7);
	return 0;
}
