// expect: error kind=out-of-bounds line=8
// clang: -Wno-format-overflow -Wno-fortify-source
#include <stdio.h>

int main(void)
{
	char b[6];
	sprintf(b, "%d:%.2f", 12, 3.14159);
	return 0;
}
