// expect: error kind=invalid-pointer|undefined-value|out-of-bounds line=10
// Half of a pointer is no pointer.
#include <string.h>

int main(void)
{
	int x = 42, *p = &x;
	unsigned half = 0x77777777;
	memcpy((char *)&p + 4, &half, 4);
	return *p;
}
