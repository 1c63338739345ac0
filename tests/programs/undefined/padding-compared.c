// expect: error kind=undefined-value line=12
// memcmp looks at padding, which is undefined.
#include <string.h>

struct s { char tag; int value; };

int main(void)
{
	struct s a, b;
	a.tag = b.tag = 'x';
	a.value = b.value = 2;
	return memcmp(&a, &b, sizeof a) == 0 ? 0 : 1;
}
