// expect: verified
// Copying what is undefined is harmless as long as nothing depends on it.
#include <string.h>

struct s { char tag; int value; };

int main(void)
{
	struct s a, b;
	a.value = 1;
	b = a;
	char bytes[sizeof b];
	memcpy(bytes, &b, sizeof b);
	return b.value - 1;
}
